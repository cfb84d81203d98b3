//! What people say in English without telling anything. Each list is sorted, with bars between the entries.

/// Words that only strengthen; phrases match with or without them.
pub(super) const DEGREE: &str = "\
absolutely|actually|always|certainly|completely|deeply|definitely|even|ever|extremely|genuinely|\
highly|honestly|incredibly|just|literally|pretty|quite|really|seriously|simply|so|still|super|\
totally|truly|very";

/// Words that carry nothing by themselves.
pub(super) const SMALL: &str = "\
a|about|again|all|also|am|an|and|are|around|as|at|be|been|being|can|doing|for|has|have|having|here|\
how|in|into|is|it|its|of|on|own|some|such|that|the|then|there|these|this|those|to|too|up|was|were|\
what|which|will|with|you|your|yours|yourself";

/// Words of greeting, thanks, wonder and praise.
pub(super) const PHATIC: &str = "\
aah|absolutely|adorable|agree|agreed|ah|aha|alright|amazing|amazingly|anyway|anyways|appreciate|\
appreciated|attitude|aw|awesome|aww|awww|beautiful|bit|blast|brave|bravo|breathtaking|brilliant|\
bro|bud|buddy|bunch|bye|cheers|commitment|congrats|congratulations|cool|courage|courageous|crazy|\
creative|creativity|cute|damn|dang|dedicated|dedication|definitely|delighted|determination|\
determined|difference|ditto|dope|dude|effort|encouragement|encouraging|enthusiasm|epic|essential|\
exactly|excellent|excited|exciting|fab|fabulous|fantastic|fascinating|fine|folks|fun|gee|glad|good|\
goodness|gorgeous|gosh|great|greetings|guys|haha|hahaha|happy|hard|heartfelt|heartwarming|heh|hehe|\
hello|hey|heya|hi|hmm|hooray|huh|hurray|idea|ideas|impact|important|impressed|impressive|\
incredible|indeed|insane|insightful|inspirational|inspiring|interesting|keep|keeping|kept|kind|\
kindness|kudos|legit|lol|look|looks|lot|lots|lovely|luck|lucky|magical|many|marvelous|mate|mean|\
meaningful|means|meant|mhm|mm|mmm|moment|moments|motivated|motivating|neat|news|nice|oh|ok|okay|\
omg|oof|ooh|oops|outstanding|pal|passion|passionate|peaceful|perfect|phenomenal|phew|please|\
pleasure|positivity|powerful|priceless|proud|rad|remarkable|resilience|respect|rewarding|rockstar|\
rofl|seeing|seem|seems|sis|sorry|sound|sounds|special|spectacular|spirit|splendid|stellar|stoked|\
strength|stuff|stunning|super|superb|support|sure|sweet|talented|terrific|thank|thankful|thanks|\
thing|things|thoughtful|thrilled|thx|ton|tons|touching|tremendous|ty|ugh|uh|um|unbelievable|unreal|\
up|uplifting|valuable|vibe|vibes|vital|way|welcome|well|whoa|whoop|wisdom|woah|wonderful|woo|\
woohoo|woow|worthwhile|wow|wowza|xoxo|yay|yea|yeah|yep|yikes|yippee|yo|yup";

/// Phrases that tell nothing, contractions written out.
pub(super) const PHRASES: &str = "\
a dream come true|a game changer|a good time|a great day|a great experience|a great time|\
a lifesaver|a must|a treat|all the best|amazing job|amazing to hear|amazing to see|amazing work|\
amen to that|an amazing experience|an awesome experience|an incredible experience|and all that|\
and stuff like that|and things like that|and whatnot|any advice|any big plans|any exciting plans|\
any fun plans|any help is appreciated|any help would be appreciated|any help would be great|\
any ideas|any news|any plans|any suggestions|any thoughts|any tips|any updates|anything cool|\
anything else|anything exciting|anything exciting going on|anything exciting happening|\
anything fun|anything good|anything interesting|anything new|anything new going on|\
anything new happening|anything new or exciting|anything on your mind|anything special|anytime|\
appreciate the help|appreciate your help|are not they|are not you|as for me|as i said|as they say|\
as you can imagine|as you can see|as you can tell|as you might imagine|at the end of the day|\
at your service|aw man|awesome job|awesome to hear|awesome to see|awesome work|back at you|\
been a while|been up to anything|being an amazing friend|being an awesome friend|being here for me|\
being my friend|being such a great friend|being supportive|being there|believe in yourself|\
believe it or not|believe me|believing in me|best feeling|best of luck|best wishes|bestie|\
better late than never|big hug|big hugs|big win|bless you|bring it on|btw|but yeah|by my side|\
by the way|by your side|bye for now|can not agree more|can not wait|can not wait to hear about it|\
can not wait to hear all about it|can not wait to hear how it goes|can not wait to hear more|\
can not wait to see it|can not wait to see what you do|can not wait to see what you do next|\
care to share|catch you later|catch you soon|check it out|check this out|checking in|\
cheering me on|come on|cool to hear|cool to see|could not agree more|could you please|count me in|\
do not be hard on yourself|do not forget that|do not give up|do not hesitate to ask|\
do not hesitate to reach out|do not mention it|do not worry|do not you think|do tell|\
do you need any help|does anyone know|does it make sense|does not it|does that make sense|\
enjoy every moment|enjoy it|enjoy your day|enjoy your time|enjoy yourself|every bit helps|\
every little bit counts|every little bit helps|every step counts|every step of the way|\
everything is fine|excellent job|excellent work|exciting times|exciting times ahead|excuse me|\
fair enough|fantastic job|feel free|feel free to ask|feel free to reach out|\
fingers and toes crossed|fingers crossed|first of all|for real|forgive me|fyi|gives me hope|\
glad i could help|glad i have you|glad it helped|glad to hear|glad to help|glad we are friends|\
glad we can support each other|glad you enjoyed it|glad you like it|glad you liked it|go for it|\
go get it|go get them|go you|god bless|going great|going on in your life|going on with you|\
going well|good afternoon|good call|good choice|good evening|good hearing from you|good job|\
good morning|good night|good one|good point|good question|good things take time|good thinking|\
good times|good times ahead|good to hear|good to hear from you|good to know|good work|\
got any advice|got any tips|got anything new|got it|got my back|got ya|gotcha|\
grateful for your support|great catching up|great chatting with you|great feeling|\
great hearing from you|great job|great point|great question|great talking to you|\
great talking with you|great to hear|great to hear from you|great to meet you|great work|\
guess what|had a blast|had a great time|hang in there|happening in your life|\
happening in your world|happening with you|happy to hear|happy to help|hard work|\
hard work pays off|hats off|have a good day|have a good weekend|have a great one|have a great week|\
have a great weekend|have a nice day|have a wonderful day|having my back|having your back|\
heck yeah|hell yeah|hello everyone|here for you|here is a photo|here is a pic|here is a picture|\
here is one|here is to that|here to help|hey girl|hey man|hi everyone|high five|holy cow|holy moly|\
holy smokes|hope all is good|hope all is well|hope everything is going well|\
hope everything is good|hope everything is okay|hope it all works out|hope it goes well|\
hope that helps|hope to hear from you soon|hope to see you soon|hope you are doing awesome|\
hope you are doing good|hope you are doing great|hope you are doing ok|hope you are doing okay|\
hope you are doing well|hope you are good|hope you are having a good day|\
hope you are having a great day|hope you are ok|hope you are okay|hope you are too|\
hope you are well|hope you do not mind|hope you enjoy it|hope you had fun|hope you like it|\
how about you|how about yourself|how are things going|how are you|how are you doing today|\
how are you feeling|how are you holding up|how are you today|how come|how did it go|\
how did that go|how did you like it|how do i put this|how do i say this|how do you do|\
how do you feel|how does it feel|how does that feel|how does that make you feel|\
how does that sound|how goes it|how has it been|how has it been going|how has that been|\
how have you been|how have you been lately|how have you been since we last chatted|\
how have you been since we last spoke|how have you been since we last talked|\
how have you been since we talked|how is everything|how is everything going|how is it going|\
how is life|how is that|how is that going|how is your day|how is your day going|how is your week|\
how is your week going|how should i put it|how was it|how was your day|how was your week|\
how was your weekend|hugs|i agree|i am all ears|i am all good|i am behind you|i am blown away|\
i am cheering for you|i am cheering you on|i am doing alright|i am doing good|i am doing great|\
i am doing ok|i am doing okay|i am doing well|i am down|i am excited|i am fine|i am flattered|\
i am glad for you|i am glad i could help|i am glad i have you|i am glad it helped|\
i am glad to have you|i am glad to have your support|i am glad to hear it|i am glad to hear that|\
i am glad we are friends|i am glad you enjoyed it|i am glad you like it|i am glad you liked it|\
i am good|i am grateful for your support|i am great|i am happy|i am happy to hear that|\
i am happy to help|i am happy you like it|i am here for you|i am here if you need anything|\
i am here if you need me|i am here to help|i am here to listen|i am here to support you|\
i am impressed|i am in|i am jealous|i am looking forward to it|i am lucky to have you|\
i am not gonna lie|i am ok|i am on it|i am proud of you|i am pumped for you|i am rambling|\
i am rooting for you|i am sorry|i am sorry for the long message|i am sorry for your loss|\
i am sorry to hear that|i am speechless|i am stoked for you|i am sure|i am thankful|\
i am thrilled for you|i am with you|i appreciate all your support|i appreciate any help|\
i appreciate it|i appreciate that|i appreciate the support|i appreciate you|\
i appreciate your encouragement|i appreciate your help|i appreciate your kind words|\
i appreciate your support|i believe in you|i bet|i can imagine|i can not imagine|i can not wait|\
i can not wait to hear about it|i can not wait to hear all about it|i can not wait to hear more|\
i can not wait to see it|i can only imagine|i can relate|i can see why|i can tell|\
i could not agree more|i do not know how to put it|i do not mind saying|i feel that|\
i feel the same|i feel you|i get it|i get that|i get you|i got it|i got you|i got your back|\
i gotta say|i have a question|i have a quick question|i have got your back|i have to say|\
i have your back|i hear ya|i hear you|i hope all is well|i hope everything is going well|\
i hope it all works out|i hope it goes well|i hope it helps|i hope that helps|\
i hope that makes sense|i hope this makes sense|i hope too|i hope you are doing good|\
i hope you are doing ok|i hope you are doing okay|i hope you are doing well|i hope you are well|\
i hope you enjoy it|i hope you had a great time|i hope you have a great day|i hope you have fun|\
i hope you like it|i kid you not|i knew you could do it|i know|i know how you feel|\
i know the feeling|i look forward to it|i love it|i love that|i mean|i must say|i see|i think too|\
i understand|i wanted to check in|i wanted to say|i was hoping|i was wondering|i was wondering if|\
i will be cheering for you|i will be cheering you on|i will be here for you|\
i will be rooting for you|i will check it out|i will do my best|i will for sure|\
i will keep it in mind|i will keep that in mind|i will keep you posted|i will keep you updated|\
i will let you know|i will let you know how it goes|i will not lie|i will try|\
i wish you all the best|i wish you good luck|i wish you luck|i wish you the best|\
i would appreciate any help|i would love that|i would love to hear about it|\
i would love to hear all about it|i would love to hear more|i would love to see it|if possible|\
if that is okay|if that makes sense|if you ask me|if you do not mind|if you need any help|\
if you need anything|if you need help|if you need me|if you need someone to talk to|\
if you need to talk|if you want|imho|imo|in all honesty|in my corner|in other news|\
in this together|in your corner|in your life|in your world|incredible job|incredible work|\
is not he|is not it|is not she|is not that|it goes without saying|it is a good feeling|\
it is an amazing feeling|it is been a while since we talked|it is been ages|it is been forever|\
it is been too long|it is not easy|it is nothing|it is what it is|it means much|it means the world|\
it was nothing|it would be awesome|it would be great|jk|keep believing|keep chasing those dreams|\
keep chasing your dreams|keep crushing it|keep doing what you love|keep fighting|\
keep following your dreams|keep going|keep in touch|keep it going|keep me in the loop|\
keep me posted|keep me updated|keep on going|keep pushing|keep pushing forward|keep rocking it|\
keep shining|keep spreading positivity|keep the faith|keep trying|keep up the fantastic work|\
keep up the momentum|keep your chin up|keep your head up|kidding|let me know|\
let me know how it goes|let me know how it is going|let me know if there is anything i can do|\
let me know what you think|let me see|let me think|let us catch up|let us catch up soon|\
let us do it|let us do this|let us get it|let us go|let us keep going|let us keep in touch|\
let us keep it up|let us make a difference|let us make a difference together|let us make it happen|\
let us rock it|let us see|like i said|likewise|little by little|long story short|long time no chat|\
long time no see|long time no talk|looking forward to hearing about it|\
looking forward to hearing from you|looking forward to hearing more|looking forward to it|\
looking forward to seeing it|looks delicious|looks like a blast|looks like a lot of fun|\
looks like fun|looks like much fun|looks like you had a blast|looks like you had a great time|\
looks like you had fun|lots of love|love it|love it much|love that|love this|love to hear it|\
love to hear that|love to see it|love ya|love you|loved it|lovely to hear|loving it|made my day|\
make sense|makes me smile|makes my day|makes sense|me neither|me too|means a lot to me|\
means much to me|means the world to me|miss ya|miss you|much appreciated|much fun|much love|\
my goodness|my pleasure|need any help|need help with anything|needless to say|never give up|\
never mind|next level|nice chatting with you|nice going|nice job|nice one|nice talking to you|\
nice to hear|nice to hear from you|nice to meet you|nice to see|nice work|no big deal|no doubt|\
no kidding|no need to thank me|no offense|no problem|no wonder|no worries|not at all|not bad|\
not gonna lie|not to brag|nothing beats that|nothing like it|nothing much|of course|oh boy|oh man|\
oh my|oh my god|oh no|on another note|on point|on that note|once again|one day at a time|\
one of a kind|one step at a time|or something like that|or whatever|pardon me|\
put a smile on my face|quick question|right|right back at ya|sad to hear that|same here|\
same old same old|same to you|see ya|see ya later|see you|see you later|see you soon|\
sending good vibes|sending hugs|sending love|sending positive vibes|sending you love|small world|\
sorry for rambling|sorry for the delay|sorry for the late reply|sorry for the long message|\
sorry for the rant|sorry for your loss|sorry to bother you|sorry to hear|sounds delicious|\
sounds good to me|sounds like a blast|sounds like a dream|sounds like a good plan|\
sounds like a good time|sounds like a great experience|sounds like a great idea|\
sounds like a great plan|sounds like a great time|sounds like a lot of fun|sounds like a plan|\
sounds like an amazing experience|sounds like fun|sounds like much fun|sounds like you had a blast|\
sounds like you had a great time|sounds like you had an amazing time|sounds like you had fun|\
speaking of which|spill the beans|spot on|stay focused|stay motivated|stay positive|stay safe|\
stay strong|stay true to yourself|stay tuned|step by step|take a look|take care|take it easy|\
take your time|talk later|talk soon|talk to you later|talk to you soon|tbh|tell me about it|\
tell me all about it|tell me everything|tell me more|thank god|thank you both|thank you for asking|\
thank you for everything|thank you for listening|thank you for sharing|thank you for the advice|\
thank you for understanding|thank you for your help|thank you for your kind words|\
thank you in advance|thank you much|thanks a million|thanks everyone|thanks for asking|\
thanks for everything|thanks for letting me know|thanks for listening|thanks for reaching out|\
thanks for sharing|thanks for sharing with me|thanks for the advice|thanks for the compliment|\
thanks for the heads up|thanks for the help|thanks for the helpful advice|thanks for the info|\
thanks for the kind words|thanks for the offer|thanks for the recommendation|\
thanks for the reminder|thanks for the suggestion|thanks for the tip|thanks for the tips|\
thanks for the update|thanks for the words of encouragement|thanks for understanding|\
thanks for your advice|thanks for your encouraging words|thanks for your help|\
thanks for your kind words|thanks in advance|thanks much|thanks much for sharing|that is life|\
that is rough|that is sad|that is the best|that is the dream|that is too bad|that is tough|\
that is true|that is unfortunate|that is what counts|that is what friends are for|\
that is what it is all about|that is what matters|that makes a lot of sense|that makes me happy|\
that means much|that means the world|that must be amazing|that must be awesome|\
that must be exciting|that must be great|that must be hard|that must be tough|\
that must feel amazing|that must feel great|that must have been a blast|\
that must have been amazing|that must have been an amazing experience|\
that must have been an incredible experience|that must have been awesome|that must have been cool|\
that must have been fun|that must have been great|that must have been hard|\
that must have been incredible|that must have been much fun|that must have been tough|\
that must have felt amazing|that must have felt great|that sounds like a good idea|\
that sounds relaxing|that sounds rough|that sounds tough|that would be amazing|\
that would be awesome|that would be cool|that would be fun|that would be great|\
that would be much fun|that would be nice|that would be perfect|that would be wonderful|\
there for me|there for you|these days|thumbs up|time flies|to answer your question|to be fair|\
to be honest|to make a long story short|to tell you the truth|top notch|true that|trust me|\
two thumbs up|wanna tell me about it|wanna tell me more|wanted to check in|wanted to say hi|\
warms my heart|was not it|was not that|way to go|we are in this together|we can do it|\
we can do this|we got this|we have got this|we make a good team|we make a great team|\
we will get there|we will get through this|we will make it through this|well deserved|well done|\
well played|well put|well said|what a coincidence|what a day|what a feeling|what a great story|\
what a journey|what a relief|what a story|what a view|what about you|what about yourself|\
what an adventure|what an experience|what are your thoughts|what can i do for you|what can i say|\
what do you say|what do you think|what else|what else is new|what have you been doing|\
what is been going on|what is been happening|what is cooking|what is going on|what is happening|\
what is it like|what is new|what is next|what is on your mind|what is that like|\
what is your opinion|what is your take|what was it like|what was that like|where was i|why not|\
will do|will keep you posted|wish me luck|wish you all the best|wish you luck|wish you the best|\
wishing you all the best|wishing you luck|wishing you the best|wonderful job|wonderful to hear|\
worth it|would love to hear about it|would love to hear more|would love to see it|would you mind|\
would you please|you are a good friend|you are a great friend|you are a legend|you are a natural|\
you are a star|you are an amazing friend|you are an awesome friend|you are an inspiration|\
you are crushing it|you are killing it|you are making a big difference|you are making a difference|\
you are making a real difference|you are making such a difference|you are my hero|\
you are not alone|you are on fire|you are on the right track|you are strong|\
you are such an inspiration|you are the best|you are the real mvp|you bet|you both look great|\
you can do it|you can do this|you deserve it|you did a great job|you did an amazing job|\
you did great|you did it|you feel me|you got this|you have a point|you have come a long way|\
you have come far|you have got a point|you have got guts|you have got me|\
you have got my full support|you have got my support|you have got this|you have guts|\
you have my full support|you have my support|you have put in the work|you have worked hard|\
you inspire me|you know|you make a good point|you make a great point|you must be excited|\
you must be happy|you must be proud|you must be thrilled|you nailed it|you never know|you rock|\
you said it|you see|you should be proud|you too|you will crush it|you will get there|\
you will nail it|you will rock it|you work hard|your enthusiasm is contagious|\
your hard work is paying off|your hard work paid off|your kind words mean a lot|\
your positivity is contagious|your support means much|your support means the world|\
your words mean a lot|your words mean a lot to me";

/// How a sentence begins that only answers what the other one told.
pub(super) const REACTIONS: &str = "\
amazing that you|appreciate your|awesome that you|awesome to hear|awesome to see you|awesome you|\
best of luck with|can not wait to hear|can not wait to see how|can not wait to see what you|\
can not wait to see you|can not wait to see your|congrats on|congrats to|congratulations on|\
cool that you|cool you|excited for you|excited to hear about your|excited to see your|\
glad that you|glad to hear|glad you|glad your|good for you|good job|good luck with|good on you|\
great job|great that you|great to hear|great to see you|great to see your|great work|great you|\
happy for your|happy that you|happy you|i admire how you|i admire you|i admire your|\
i am glad that you|i am glad to hear|i am glad you|i am glad your|i am happy for you|\
i am happy that you|i am happy you|i am proud of you for|i am sorry to hear|i am sorry you|\
i am sure you|i appreciate you|i appreciate your|i bet it|i bet that|i bet you|i bet your|\
i can imagine|i can see why|i can tell you|i get how|i knew you|i know you|i love how you|\
impressive that you|impressive you|it is amazing how|it is amazing that you|it is amazing to hear|\
it is amazing to see how|it is amazing when you|it is amazing you|it is awesome how|\
it is awesome that you|it is awesome to hear|it is awesome to see how|it is awesome to see you|\
it is awesome to see your|it is awesome when you|it is awesome you|it is beautiful how|\
it is beautiful to hear how|it is beautiful to see how|it is beautiful when you|it is cool how|\
it is cool that you|it is cool to hear|it is cool to see how|it is cool to see you|\
it is cool when you|it is cool you|it is crazy how|it is crazy to hear how|it is crazy to see how|\
it is crazy when you|it is fascinating how|it is fascinating to hear how|\
it is fascinating to see how|it is fascinating when you|it is good that you|it is good to hear|\
it is good you|it is great how|it is great that you|it is great to hear|it is great to see how|\
it is great to see you|it is great to see your|it is great when you|it is great you|\
it is incredible how|it is incredible to hear how|it is incredible to see how|\
it is incredible when you|it is inspiring how|it is inspiring to hear how|\
it is inspiring to see how|it is inspiring to see you|it is inspiring to see your|\
it is inspiring when you|it is interesting how|it is interesting to hear how|\
it is interesting to see how|it is interesting when you|it is lovely how|it is lovely to hear how|\
it is lovely to see how|it is lovely when you|it is nice how|it is nice that you|\
it is nice to hear|it is nice to see how|it is nice when you|it is wild how|it is wild to hear how|\
it is wild to see how|it is wild when you|it is wonderful how|it is wonderful that you|\
it is wonderful to hear|it is wonderful to see how|it is wonderful when you|it looks like that|\
it looks like you|it looks like your|it must|it sounds like you|it sounds like your|keep me posted|\
keep me updated|keep up|kudos for|kudos to|let me know|looks like you|looks like your|love how you|\
love seeing you|love seeing your|love that you|love your|loving your|must be amazing|\
must be awesome|must be great|must feel|must have been|must have felt|nice that you|nice to hear|\
proud of you for|sorry about your|sorry for your|sorry that you|sorry to hear|sorry you|\
sounds amazing|sounds like it|sounds like that|sounds like you|sounds like your|tell me about your|\
tell me all about|tell me more|thank you for|thanks for|that is amazing how|\
that is amazing that you|that is amazing you|that is awesome how|that is awesome that you|\
that is awesome you|that is beautiful how|that is cool how|that is cool that you|that is cool you|\
that is crazy how|that is fantastic that you|that is fantastic that your|that is fascinating how|\
that is great how|that is great that you|that is great you|that is incredible how|\
that is inspiring how|that is interesting how|that is lovely how|that is nice how|that is wild how|\
that is wonderful how|that must|that sounds|way to go|what a cool|what a great|what an amazing|\
what an awesome|you are doing|you are killing|you are making|you are rocking|you are such|\
you have come a long way|you have got what it takes|you must be|you must have|you should be proud|\
your commitment|your courage|your creativity|your dedication|your determination|your empathy|\
your encouragement|your energy|your enthusiasm|your hard work|your kindness|your passion|\
your positivity|your strength|your support";

/// Words of generalities: a sentence of these and the ones above tells of nobody and nothing.
pub(super) const ABSTRACT: &str = "\
ability|able|absolute|accept|acceptance|accepting|access|accomplishment|accomplishments|achieve|\
achievement|achievements|achieving|across|act|action|actions|acts|adding|adds|admirable|admiration|\
admire|adventure|adventures|adversity|advice|affect|affecting|against|ahead|alive|along|among|\
another|any|anyone|anything|appreciating|appreciative|aspect|aspects|atmosphere|attention|\
authentic|authenticity|awareness|away|awe|back|balance|based|beat|beauty|become|becoming|behind|\
belief|beliefs|believe|believing|beneficial|benefits|beside|best|better|between|beyond|big|bigger|\
biggest|bloom|blossom|bond|bonding|bonds|boost|boosts|both|braver|bravery|breathtaking|bright|\
brighten|brighter|bring|bringing|brings|brought|build|building|builds|but|by|calm|calming|\
captivating|capture|captured|captures|care|carefree|cares|caring|cause|causes|celebrate|\
celebrating|challenge|challenges|challenging|chance|change|changer|changes|changing|chapter|\
chapters|chase|chasing|cheer|cherish|cherished|chill|choose|clear|close|closer|collaborate|\
collaboration|combo|come|comes|comfort|comforting|coming|common|communities|community|compassion|\
compassionate|confidence|confident|connect|connected|connecting|connection|connections|connects|\
consistency|consistent|contagious|content|continue|convey|conveys|could|count|counterparts|counts|\
create|creates|creating|crucial|day|days|deal|dealing|deep|deeper|define|deserve|deserved|deserves|\
desire|despite|determination|develop|development|difference|differences|different|difficult|\
difficulties|direction|disconnect|discover|discovery|diversity|do|does|done|doors|down|dream|\
dreams|drive|driven|during|each|eachother|earned|easier|easiest|easily|easy|effect|effects|else|em|\
embrace|embracing|emotion|emotional|emotions|empathy|empower|empowering|encourage|encourages|\
endless|energizing|energy|engaged|engaging|enjoyable|enjoyment|enough|entertaining|environment|\
equality|escape|especially|ethic|every|everybody|everyday|everyone|everything|everytime|everywhere|\
experience|experiences|explore|exploring|express|expressing|expression|extra|eye|facing|fact|\
factor|faith|far|feat|feel|feeling|feelings|feels|felt|figure|figuring|fill|filled|fills|find|\
finding|finds|fired|fits|flourish|focus|focused|focusing|folks|follow|following|forward|found|\
foundation|freedom|freeing|fresh|friend|friends|friendship|friendships|from|fuels|fulfilled|\
fulfilling|fulfillment|full|gain|generosity|gesture|gestures|get|gets|getting|gift|give|gives|\
giving|go|goal|goals|goes|going|gone|gonna|got|gotta|gotten|grace|gradual|grateful|gratitude|grind|\
grow|growing|grows|growth|guidance|guiding|guts|handle|hang|hanging|happen|happened|happens|\
happier|happiness|harder|hardship|hardships|head|hear|hearing|heart|heartbreaking|hearts|help|\
helped|helpful|helping|helps|high|highs|honestly|honesty|honor|honored|hopeful|hopes|however|hug|\
huge|human|humbling|humility|hustle|ideal|identity|images|imagination|imaginations|imagine|\
impactful|importance|impossible|improve|improvement|improvements|improving|inclusive|inclusivity|\
individual|individuals|influence|influences|initiative|inner|inside|inspiration|inspire|inspired|\
inspires|inspiring|invaluable|invigorating|inviting|involved|itself|journey|journeys|joy|joyful|\
joyous|joys|justice|keeps|key|kinda|kindhearted|know|known|laugh|laughter|lead|leading|learn|\
learning|lessons|let|lets|letting|level|levels|life|lifetime|lift|lifting|lifts|light|like|\
like-minded|listen|little|lively|long|looking|love|loved|loving|lows|loyalty|made|make|makes|\
making|manage|matter|mattered|matters|meaning|memorable|memories|mind|minded|minds|mindset|mirror|\
mix|momentum|mood|more|most|motivate|motivates|motivation|much|must|mutual|natural|necessary|new|\
nobody|normal|nothing|noticed|nurturing|obstacle|obstacles|off|offer|offering|offers|once|ones|\
oneself|open|opening|openness|opens|opportunities|opportunity|optimism|optimistic|other|others|our|\
ourselves|out|outlet|outlook|outlooks|over|overall|overcome|overcoming|overwhelming|pace|paid|part|\
parts|passing|passions|path|paths|patience|pay|paying|pays|peace|people|perfectly|perseverance|\
persevere|persistence|personal|personalities|personally|perspective|perspectives|photo|photos|pic|\
pics|picture|pictures|picturesque|piece|plenty|plus|positive|positively|possibilities|possible|\
potential|power|precious|present|pride|prioritize|prioritizing|priority|process|productive|\
progress|promote|promoting|proof|prosper|proud|provide|provides|providing|purpose|push|pushing|put|\
puts|putting|quality|raise|raising|reach|reaching|ready|real|reality|realize|reason|reasons|\
recharge|recognition|reconnect|reflect|reflecting|refreshing|relatable|relationships|relax|\
relaxation|relaxing|reliable|relief|remember|remembering|remind|reminded|reminder|reminders|\
reminding|reminds|resilience|resilient|rest|results|reward|rewarding|rewards|rich|ride|right|role|\
rollercoaster|rough|rush|sad|safe|same|satisfaction|satisfying|see|sees|self|sense|serene|serenity|\
set|setback|setbacks|shape|share|shared|sharing|shine|shines|shining|short|show|showing|shows|\
sides|significant|simple|sincerity|situation|situations|skills|small|smile|smiles|solid|solidarity|\
some|someone|something|somewhere|soothing|sort|soul|space|spark|sparks|speak|speaking|spirits|\
spread|spreading|stay|staying|step|steps|stick|sticking|stories|strengthen|strengthens|strengths|\
strive|striving|strong|stronger|struggle|struggles|stunning|succeed|success|successful|support|\
supporting|supportive|surprised|surprising|surreal|surround|surrounded|surrounding|surroundings|\
symbol|system|tackle|tackling|take|takes|taking|talent|talents|task|teamwork|tenacity|than|\
thankful|themselves|think|thinking|though|thought|thoughts|thrilling|thrive|thriving|through|\
throughout|time|timeless|times|together|togetherness|total|touch|tough|tougher|toughest|track|\
tranquil|transform|transformative|transforming|treasure|treasured|treat|true|trust|truth|trying|\
turn|turned|turning|turns|type|uncertainty|unconditional|understand|understanding|unforgettable|\
unique|unites|unity|unplug|uplift|uplifted|upside|us|use|useful|usually|value|values|vibe|vibrant|\
view|views|visible|vision|vivid|vulnerability|vulnerable|wanna|wanting|warm|warmth|ways|we|\
weaknesses|well-being|wellbeing|whatever|when|while|who|whoever|whole|wholesome|why|willing|win|\
winding|wins|within|witnessing|wonder|wonders|word|words|work|worked|works|world|worries|worth|\
worthy|yet|yourselves";
