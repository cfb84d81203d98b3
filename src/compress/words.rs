//! Words the guard looks for. Each list is sorted, with bars between the entries.

/// Words after which a name only calls somebody.
pub(super) const CALLS: &str = "\
absolutely|afternoon|again|agreed|amazing|aw|awesome|aww|bye|cheers|congrats|congratulations|\
cool|course|dear|definitely|evening|exactly|gosh|great|haha|hello|hey|hi|indeed|job|later|lol|\
morning|nice|night|no|nope|oh|ok|okay|right|sorry|sure|thank|thanks|too|totally|true|way|\
welcome|well|whoa|woohoo|work|wow|yay|yeah|yep|yes|you|yup";

/// Words that date.
pub(super) const DATES: &str = "\
afternoon|afternoons|ago|anniversary|annually|apr|april|aug|august|autumn|birthday|century|\
christmas|daily|day|days|dec|decade|decades|december|diwali|easter|evening|evenings|feb|\
february|fortnight|fri|friday|fridays|halloween|hanukkah|jan|january|jul|july|jun|june|lately|\
midnight|mon|monday|mondays|month|monthly|months|morning|mornings|night|nightly|nights|noon|nov|\
november|nowadays|oct|october|ramadan|recently|saturday|saturdays|semester|sep|sept|september|\
soon|spring|summer|sunday|sundays|thanksgiving|thu|thur|thurs|thursday|thursdays|today|tomorrow|\
tonight|tue|tues|tuesday|tuesdays|wed|wednesday|wednesdays|week|weekday|weekdays|weekend|\
weekends|weekly|weeks|winter|year|yearly|years|yesterday";

/// Places, in lower case.
pub(super) const PLACES: &str = "\
africa|alaska|america|amsterdam|angeles|argentina|arizona|asia|athens|atlanta|auckland|austin|\
australia|austria|bali|bangkok|barcelona|beijing|belgium|berlin|boston|brazil|brooklyn|brussels|\
budapest|cairo|california|canada|chengdu|chicago|chile|china|chongqing|colombia|colorado|\
copenhagen|cuba|dallas|delhi|denmark|denver|diego|dubai|dublin|edinburgh|egypt|england|europe|\
finland|florence|florida|france|francisco|geneva|germany|greece|guangzhou|hamburg|hangzhou|\
hawaii|helsinki|houston|hungary|iceland|india|indonesia|iran|iraq|ireland|israel|istanbul|italy|\
jakarta|japan|kenya|korea|kuala|kyoto|lagos|lisbon|london|louisiana|madrid|malaysia|manhattan|\
manila|melbourne|mexico|miami|michigan|milan|montreal|morocco|moscow|mumbai|munich|nairobi|\
nanjing|naples|nashville|nepal|netherlands|nigeria|norway|nyc|ohio|oregon|orleans|osaka|oslo|\
ottawa|pakistan|paris|peru|philadelphia|philippines|phoenix|poland|portland|portugal|prague|\
romania|rome|russia|scotland|seattle|seoul|shanghai|shenzhen|singapore|spain|stockholm|suzhou|\
sweden|switzerland|sydney|taipei|taiwan|tampa|texas|thailand|tokyo|toronto|uk|ukraine|usa|\
vancouver|vegas|venice|vienna|vietnam|virginia|wales|warsaw|washington|wuhan|xiamen|york|zurich";

/// Given names, in lower case.
pub(super) const NAMES: &str = "\
aaron|adam|alex|alexander|alice|amanda|amy|andrea|andrew|angela|ann|anna|anne|anthony|ben|\
benjamin|beth|bob|brandon|brian|carl|carlos|carol|caroline|charles|charlie|chloe|chris|\
christina|christopher|claire|daniel|dave|david|diana|dylan|edward|elena|elizabeth|ella|emily|\
emma|eric|ethan|eva|evan|fiona|frank|gabriel|gary|george|gina|grace|greg|hannah|harry|helen|\
henry|ian|isabella|jack|jacob|jake|james|jane|jason|jeff|jennifer|jenny|jessica|jim|joanna|joe|\
john|johnny|jon|jonathan|jose|joseph|josh|joshua|juan|julia|julie|justin|karen|kate|kathy|katie|\
keith|kelly|ken|kevin|kim|kyle|lara|laura|lauren|leo|lily|linda|lisa|louis|lucas|lucy|luke|\
maria|marie|mary|matt|matthew|megan|melanie|melissa|mia|michael|michelle|miguel|mike|\
mohammed|nancy|natalie|nate|nathan|nick|nicole|noah|nora|oliver|olivia|oscar|patricia|patrick|\
paul|pedro|peter|priya|rachel|raj|rebecca|richard|rob|robert|ryan|sam|samantha|samuel|sara|\
sarah|scott|sean|simon|sofia|sophia|sophie|stephanie|stephen|steve|steven|susan|tara|taylor|\
thomas|tim|tina|todd|tom|tony|tyler|vanessa|victor|victoria|vincent|walter|wei|wendy|william|\
yuki|zoe";

/// Units, each with its one name.
pub(super) const UNITS: &str = "\
$=$|%=%|am=am|billion=B|bucks=$|calorie=kcal|calories=kcal|cm=cm|cny=¥|day=d|days=d|decade=dec|\
decades=dec|degree=°|degrees=°|dollar=$|dollars=$|eur=€|euro=€|euros=€|feet=ft|foot=ft|ft=ft|\
g=g|gb=gb|gbp=£|gram=g|grams=g|h=h|hour=h|hours=h|hr=h|hrs=h|inch=in|inches=in|jpy=jpy|k=k|\
kcal=kcal|kg=kg|kgs=kg|kilo=kg|kilogram=kg|kilograms=kg|kilometer=km|kilometers=km|kilometre=km|\
kilometres=km|kilos=kg|km=km|l=l|lb=lb|lbs=lb|liter=l|liters=l|litre=l|litres=l|m=m|mb=mb|\
meter=m|meters=m|metre=m|metres=m|mg=mg|mi=mi|mile=mi|miles=mi|million=M|min=min|mins=min|\
minute=min|minutes=min|ml=ml|mm=mm|month=mo|months=mo|mph=mph|m²=m²|ounce=oz|ounces=oz|oz=oz|\
pct=%|percent=%|pm=pm|pound=£|pounds=£|quid=£|rmb=¥|sec=s|second=s|seconds=s|secs=s|tb=tb|\
time=x|times=x|usd=$|week=w|weeks=w|x=x|year=y|years=y|yen=jpy|yr=y|yrs=y|yuan=¥|£=£|¥=¥|°=°|\
€=€|万=万|个月=mo|人民币=¥|亿=亿|件=件|位=位|倍=倍|元=¥|克=g|公斤=kg|公里=km|分=分|分钟=min|\
千克=kg|千米=km|厘米=cm|双=双|口=口|只=只|台=台|号=日|名=名|周=w|块=¥|天=d|套=套|室=室|家=家|\
小时=h|层=层|届=届|岁=岁|平米=m²|年=y|度=°|张=张|斤=斤|日=日|日元=jpy|星期=w|月=mo|本=本|条=条|\
杯=杯|栋=栋|楼=楼|次=x|欧元=€|步=步|毫克=mg|毫升=ml|点=点|班=班|瓶=瓶|碗=碗|礼拜=w|秒=s|章=章|\
米=m|级=级|美元=$|美金=$|英镑=£|路=路|辆=辆|部=部|钟头=h|集=集|页=页";

/// Number words with their value.
pub(super) const NUMERALS: &str = "\
billion=1000000000|couple=2|double=2|dozen=12|dozens=12|eight=8|eighteen=18|eighth=8|eighty=80|\
eleven=11|eleventh=11|fifteen=15|fifteenth=15|fifth=5|fifty=50|first=1|five=5|forty=40|four=4|\
fourteen=14|fourth=4|half=0.5|hundred=100|hundreds=100|million=1000000|millions=1000000|nine=9|\
nineteen=19|ninety=90|ninth=9|once=1|one=1|second=2|seven=7|seventeen=17|seventh=7|seventy=70|\
six=6|sixteen=16|sixth=6|sixty=60|ten=10|tenth=10|third=3|thirteen=13|thirteenth=13|\
thirtieth=30|thirty=30|thousand=1000|thousands=1000|three=3|thrice=3|triple=3|twelfth=12|\
twelve=12|twentieth=20|twenty=20|twice=2|twins=2|two=2|zero=0";

/// Months with their number.
pub(super) const MONTHS: &str = "\
apr=4|april=4|aug=8|august=8|dec=12|december=12|feb=2|february=2|jan=1|january=1|jul=7|july=7|\
jun=6|june=6|mar=3|march=3|may=5|nov=11|november=11|oct=10|october=10|sep=9|sept=9|september=9";

/// Words that begin sentences with a capital and are no names.
pub(super) const STARTERS: &str = "\
about|above|additionally|after|afterwards|again|all|also|although|always|am|among|an|and|\
animals|another|any|anyone|anything|anyway|apparently|are|art|as|asking|at|away|back|baking|\
basically|be|became|because|been|before|being|believe|below|besides|best|between|big|books|both|\
breakfast|bring|brought|btw|but|buy|by|call|came|camping|can|catch|cats|change|check|coffee|\
come|consider|cook|cooking|could|currently|dad|dance|dancing|day|days|definitely|despite|did|\
dinner|do|does|dogs|doing|done|down|drop|due|during|each|either|else|even|eventually|every|\
everybody|everyday|everyone|everything|exactly|except|exploring|family|far|feel|feeling|few|\
finally|find|fine|first|focus|follow|food|for|fortunately|found|friends|from|full|fyi|games|\
gaming|generally|get|getting|give|go|god|going|gonna|good|got|gotta|great|guess|had|haha|half|\
happy|hard|has|have|having|he|hear|heard|hello|help|her|here|hers|hey|hi|hiking|him|his|hmm|\
hold|home|honestly|hope|hopefully|how|however|i|if|imagine|in|indeed|instead|into|is|it|its|\
joined|just|keep|kids|know|last|lately|later|learn|learned|learning|leave|left|less|let|life|\
like|listen|little|live|lol|long|look|looking|looks|lots|love|loved|luckily|lunch|made|make|\
making|many|maybe|me|mean|means|meanwhile|meet|meeting|met|might|mine|mom|money|more|moreover|\
most|mostly|movies|moving|much|music|must|my|myself|nature|need|never|new|next|nice|no|nobody|\
none|nor|not|nothing|now|nowadays|obviously|of|off|often|oh|ok|okay|old|omg|on|once|one|only|\
open|or|originally|other|others|our|out|over|own|painting|part|pay|people|perhaps|personally|\
pets|play|playing|please|plus|possibly|practice|probably|put|quite|rather|read|reading|ready|\
really|recently|regardless|remember|right|running|sadly|said|same|saw|say|school|see|seeing|\
seems|send|set|several|shall|she|should|show|similarly|since|sleep|so|some|somebody|someone|\
something|sometimes|soon|sorry|sounds|specifically|spend|spending|sports|start|started|stay|\
still|stop|such|suddenly|super|sure|take|taking|talk|talking|tea|teaching|team|tell|than|thank|\
thanks|that|the|their|them|then|there|therefore|these|they|thing|things|think|this|those|though|\
through|thus|thx|time|to|today|together|tomorrow|tonight|too|took|totally|travel|traveling|try|\
trying|turn|turns|two|typically|ultimately|under|unfortunately|unless|until|up|us|use|used|\
using|usually|very|visiting|wait|walk|wanna|want|was|watch|watching|water|way|we|weather|well|\
went|were|what|whatever|when|whenever|where|whether|which|while|who|whole|whose|why|will|wish|\
with|within|without|woke|wonder|words|work|worked|working|would|wow|write|writing|wrong|yeah|\
year|years|yep|yes|yesterday|yet|yoga|you|young|your|yours";
