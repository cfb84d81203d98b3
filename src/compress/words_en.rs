//! Words of the English rules.

use crate::words::{Words, words};

/// Phrases at the start of a sentence that only lead up to it. Sorted, as [`crate::list`] needs it.
pub(super) const OPENERS: &str = "\
as i said|by the way|i can tell you that|i gotta say|i gotta say that|i have to admit|\
i have to admit that|i have to say|i have to say that|i must admit|i must admit that|i must say|\
i must say that|i want to say that|i want you to know|i want you to know that|\
i wanted to let you know|i wanted to let you know that|i wanted to say|i wanted to say that|\
i wanted to share that|i wanted to tell you|i wanted to tell you that|it goes without saying that|\
it is important to note that|it is worth noting that|it should be noted that|let me tell you|\
let me tell you that|like i said|needless to say|please note that|the thing is|the thing is that|\
to be honest|to tell you the truth|what i mean is|what i mean is that|you know|you know what|\
you see";

/// Words at the start of a sentence that fill when its subject follows.
pub(super) const LEADS: &str = "\
ah|alright|anyway|anyways|aw|aww|basically|btw|haha|hey|hmm|honestly|lol|oh|ok|okay|omg|um|well|whoa|wow|yeah";

/// Words that fill at the start of a sentence with a comma after them.
pub(super) const FILLERS: &str = "\
actually|also|anyway|anyways|basically|honestly|like|look|obviously|personally|plus|see|seriously|so|well";

/// What may follow them.
#[rustfmt::skip]
pub(super) const SUBJECTS: Words = words![
    "he", "i", "it", "my", "our", "she", "the", "there", "they", "this", "we", "you", "your",
];

/// Asides between commas.
pub(super) const ASIDES: &str = "\
basically|by the way|honestly|i guess you could say|i mean|i must say|i swear|if you ask me|like|\
lol|of course|to be fair|to be honest|uh|um|well|you know|you know what i mean|you see";

/// Adverbs that only strengthen. "Actually" and the like; not those that count or limit.
pub(super) const STRONG: &str = "\
absolutely|actually|basically|certainly|definitely|genuinely|honestly|literally|obviously|\
seriously|simply|totally|truly";

/// Adjectives that stand without their strengthening word.
pub(super) const ADJECTIVES: &str = "\
accessible|active|adventurous|affectionate|alive|annoying|anxious|awful|awkward|bad|big|boring|\
bright|busy|calm|calming|careful|caring|challenging|charming|cheap|chill|clean|clear|close|cold|\
colorful|comfortable|comfy|competitive|complex|confident|confused|confusing|cozy|curious|dark|deep|\
delicate|delicious|demanding|detailed|different|difficult|dirty|disappointed|disappointing|\
dramatic|dry|eager|early|easy|emotional|empowering|energetic|energized|enjoyable|enlightening|\
exhausted|exhausting|expensive|eye-opening|familiar|fast|fluffy|freaky|free|freeing|fresh|friendly|\
frustrated|frustrating|fulfilling|full|funny|generous|gentle|grateful|gratifying|handy|harsh|\
healthy|heavy|helpful|high|honored|hopeful|hot|huge|humbling|hungry|immersive|inspired|intense|\
intriguing|invigorating|kind|laid-back|large|late|lively|lonely|long|loud|loving|low|lucky|mad|\
messy|moving|mysterious|nerve-wracking|nervous|new|nostalgic|old|open|overwhelmed|overwhelming|\
painful|personal|playful|pleased|poor|popular|positive|pumped|quick|quiet|rare|real|refreshed|\
refreshing|relaxed|relaxing|relieved|rich|rough|sad|satisfied|satisfying|scared|scary|serene|\
serious|shocked|shy|sick|silly|similar|simple|slow|small|smart|smooth|soft|soothing|strange|\
stressed|stressful|strong|stuck|successful|sunny|supportive|surprised|surprising|talented|tasty|\
therapeutic|thoughtful|tight|tired|tiring|tough|tranquil|tricky|ugly|unique|upset|useful|vivid|\
warm|weak|weird|wet|wholesome|wild|worried|yummy";

/// Long phrases and the short ones that say the same.
pub(super) const WORDY: &str = "\
a large number of=many|a lot of different=many|a wide variety of=many|a wide range of=many|\
all of the=all the|all of my=all my|all of our=all our|all of these=all these|\
all of those=all those|as well as=and|at this point in time=now|at the present time=now|\
because of the fact that=because|despite the fact that=although|due to the fact that=because|\
for the purpose of=for|get in touch with=contact|give it a try=try it|gave it a try=tried it|\
has the ability to=can|have the ability to=can|have a chat=chat|in addition to=besides|\
in order to=to|in spite of the fact that=although|in spite of=despite|is able to=can|\
are able to=can|am able to=can|lots and lots of=lots of|make a decision=decide|\
made a decision=decided|on account of=because of|owing to the fact that=because|\
regardless of the fact that=although|so as to=to|so many=many|so much fun=fun|so much joy=joy|\
so much love=love|so much more=more|take a look at=look at|the majority of=most|\
the reason why is that=because|whether or not=whether|with regard to=about|with regards to=about|\
with respect to=about|with the exception of=except|a whole lot of=lots of|a great deal of=much|\
each and every=every|first and foremost=first|over and over again=repeatedly|\
time and time again=repeatedly|the fact that=that";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list;

    #[test]
    fn lists_are_sorted() {
        for sorted in [OPENERS, LEADS, ASIDES, FILLERS, STRONG] {
            assert!(list::is_sorted(sorted), "{}", &sorted[..20]);
        }
        assert!(list::is_sorted(ADJECTIVES));
    }
}
