//! The word lists of the English rules.

use crate::words::{Words, words};

/// Openers that say nothing.
#[rustfmt::skip]
pub(super) const LEADS: Words = words![
    "by the way", "just so you know", "just fyi", "i would say", "for your information",
    "to be honest", "you know", "good morning", "good evening", "good afternoon", "thank you",
    "thanks a lot", "hello there", "hi there", "as i said", "i think that", "i believe that",
    "i mean", "i guess", "i think", "i should mention that", "i should mention",
    "i should add that", "i must say", "i have to say", "i want you to know that",
    "i want you to know", "it turns out that", "it turns out", "the thing is", "fun fact", "fyi",
    "btw", "well", "so", "ok", "okay", "hey", "hi", "hello", "oh", "ah", "um", "uh", "hmm",
    "anyway", "also", "and", "but", "look", "listen", "honestly", "tbh", "yeah", "yes", "yep",
    "sure", "right", "great", "thanks", "plus", "additionally", "sadly", "unfortunately",
    "luckily", "personally", "obviously", "basically", "generally", "currently", "recently",
    "lately", "nowadays",
];
/// Of these, only with a mark after them.
#[rustfmt::skip]
pub(super) const NEEDS_COMMA: Words = words![
    "look", "listen", "right", "great", "sure", "thanks",
];

#[rustfmt::skip]
pub(super) const CORRECTIONS: Words = words![
    "actually", "correction", "sorry i meant", "i meant", "i misspoke", "wait", "no wait",
    "no actually", "no i said", "no sorry", "sorry", "no", "nope", "not quite", "that is wrong",
    "that is not right", "that is incorrect", "my mistake", "scratch that", "let me correct that",
    "to correct myself", "update",
];

#[rustfmt::skip]
pub(super) const HYPOTHETICAL: Words = words![
    "if", "imagine", "suppose", "supposing", "pretend", "what if", "let us say", "say i",
    "say you", "assume", "assuming", "hypothetically", "unless", "when i was", "i wish",
    "in the story", "in my story", "in a dream", "she said", "he said", "they said", "people say",
    "someone", "as a joke", "once upon",
];
#[rustfmt::skip]
pub(super) const UNCERTAIN: Words = words![
    "maybe", "perhaps", "probably", "possibly", "hypothetically", "supposedly", "pretending",
    "guess",
];

#[rustfmt::skip]
pub(super) const QUESTIONS: Words = words![
    "what", "how", "why", "who", "whom", "whose", "when", "where", "which", "do you", "does",
    "did you", "do i", "did i", "can you", "can i", "can we", "could you", "could i", "would you",
    "would it", "will you", "will it", "is it", "is there", "is that", "is this", "is the",
    "is my", "are there", "are you", "are we", "am i", "should i", "should we", "may i",
    "have you", "has", "was", "were", "any idea", "any tips", "any advice", "any recommendations",
    "any suggestions", "do we", "isn't", "is not",
];

/// Objects that point into this conversation.
#[rustfmt::skip]
pub(super) const DEICTIC: Words = words![
    "it", "this", "that", "these", "those", "them", "you", "your", "yours", "him", "her", "option",
    "one", "how", "what", "when", "where", "why", "whatever", "following", "something", "anything",
    "nothing", "everything", "so", "some", "both", "either", "which", "here", "there", "such",
];
#[rustfmt::skip]
pub(super) const THIS_TURN: Words = words![
    "idea", "answer", "first", "second", "third", "last", "other", "way", "suggestion",
    "suggestions", "result", "response", "new", "latter", "former", "previous", "original", "fact",
    "sound", "look", "following", "examples", "above",
];
#[rustfmt::skip]
pub(super) const NOT_LIKED: Words = words![
    "if", "for", "seeing", "because", "not", "being", "having", "getting",
];

#[rustfmt::skip]
pub(super) const FIRST_PERSON: Words = words![
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours",
];

#[rustfmt::skip]
pub(super) const REPORTING: Words = words![
    "if", "unless", "said", "says", "say", "told", "tells", "asked", "asks", "wrote", "writes",
    "quote", "sentence", "imagine", "pretend", "suppose", "translate", "exercise", "example",
    "scenario", "novel", "book", "game", "dream", "poem", "scene", "film", "role", "lyrics",
    "song", "movie", "character", "story", "claims", "thinks", "thought", "dreamed", "dreamt",
    "wish", "assume", "whether",
];

/// What may stand before the first clause as its setting.
#[rustfmt::skip]
pub(super) const SETTINGS: Words = words![
    "at work", "at home", "for work", "in my free time", "in my spare time", "on weekends",
    "on weekdays", "outside of work", "when it comes to", "as for", "for breakfast", "for lunch",
    "for dinner", "at the office", "in general", "for exercise", "these days",
];

#[rustfmt::skip]
pub(super) const TIMES: Words = words![
    "today", "tonight", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "january", "february", "march", "april", "june", "july", "august",
    "september", "october", "november", "december", "next", "week", "weeks", "weekend", "month",
    "months", "year", "years", "summer", "winter", "spring", "autumn", "fall", "soon", "christmas",
    "easter", "noon", "midnight", "morning", "evening", "afternoon", "semester", "quarter", "q1",
    "q2", "q3", "q4", "may", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays",
];

#[rustfmt::skip]
pub(super) const STANDING_STARTS: Words = words![
    "from now on", "going forward", "in the future", "in future", "from here on", "by default",
    "always", "never", "do not ever", "every time", "for all future", "whenever i", "whenever you",
    "each time", "as a rule",
];
#[rustfmt::skip]
pub(super) const STANDING_ANYWHERE: Words = words![
    "from now on", "going forward", "in the future", "in future", "by default", "every time",
    "at all times", "always", "never", "unless i say otherwise",
];
#[rustfmt::skip]
pub(super) const NOT_COMMANDS: Words = words![
    "mind", "i", "been", "had", "thought", "knew", "a", "the", "in", "gonna", "again", "my", "we",
    "heard", "would", "happy", "wondered", "here", "there", "good", "great", "nice", "glad", "fun",
    "grateful", "ready", "staying", "learning", "looking",
];
#[rustfmt::skip]
pub(super) const COMMANDS: Words = words![
    "add", "address", "answer", "ask", "avoid", "be", "call", "check", "cite", "do", "explain",
    "format", "give", "include", "keep", "leave", "make", "mention", "please", "put", "reply",
    "respond", "show", "skip", "speak", "start", "talk", "tell", "treat", "use", "write",
];
#[rustfmt::skip]
pub(super) const ANSWERING: Words = words![
    "answer", "answers", "reply", "replies", "respond", "responses", "speak", "talk", "write",
    "explain",
];
#[rustfmt::skip]
pub(super) const LANGUAGES: Words = words![
    "english", "chinese", "mandarin", "cantonese", "japanese", "korean", "spanish", "french",
    "german", "italian", "portuguese", "russian", "arabic", "hindi", "dutch", "polish", "turkish",
    "vietnamese", "thai", "swedish",
];
#[rustfmt::skip]
pub(super) const NATIONALITIES: Words = words![
    "american", "british", "english", "irish", "scottish", "canadian", "australian", "chinese",
    "japanese", "korean", "indian", "german", "french", "spanish", "italian", "portuguese",
    "dutch", "swedish", "norwegian", "danish", "finnish", "polish", "russian", "ukrainian",
    "turkish", "greek", "brazilian", "mexican", "argentinian", "egyptian", "nigerian", "kenyan",
    "vietnamese", "thai", "indonesian", "swiss", "austrian", "belgian", "catholic", "muslim",
    "jewish", "christian", "buddhist", "hindu",
];

#[rustfmt::skip]
pub(super) const DECISIONS: Words = words![
    "decided to go with", "decided to use", "decided to", "decided on", "decided against",
    "decided that", "have decided to go with", "have decided to", "have decided on",
    "have decided against", "have decided that", "have chosen", "chose", "went with",
    "ended up choosing", "ended up with", "ended up going with", "are sticking with",
    "are switching to", "settled on", "agreed to", "agreed on", "agreed that", "will go with",
    "are going with", "am going with", "picked", "have settled on", "opted for", "have agreed on",
    "have agreed to",
];

#[rustfmt::skip]
pub(super) const MINE_VERBS: Words = words![
    "is", "are", "lives", "live", "works", "work", "has", "have", "likes", "loves", "hates",
    "goes", "was", "died", "speaks", "turns", "starts", "studies", "prefers", "plays", "leaves",
    "uses", "runs", "ends", "arrives", "got", "sells", "makes", "builds", "offers", "employs",
    "costs",
];
#[rustfmt::skip]
pub(super) const NOT_LASTING: Words = words![
    "question", "problem", "issue", "code", "program", "guess", "opinion", "point", "bad",
    "mistake", "idea", "thought", "understanding", "request", "concern", "apologies", "answer",
    "message", "script", "function", "test", "tests", "input", "output", "prompt", "query",
    "suggestion", "impression",
];
#[rustfmt::skip]
pub(super) const KIN: Words = words![
    "wife", "husband", "son", "daughter", "brother", "sister", "mother", "father", "mom", "dad",
    "mum", "parents", "partner", "girlfriend", "boyfriend", "fiance", "fiancee", "grandmother",
    "grandfather", "grandma", "grandpa", "uncle", "aunt", "cousin", "niece", "nephew", "friend",
    "friends", "boss", "manager", "colleague", "coworker", "roommate", "neighbor", "neighbour",
    "kids", "kid", "children", "child", "twins", "dog", "cat", "puppy", "kitten", "parrot",
    "hamster", "rabbit", "pet", "teacher", "doctor", "therapist", "landlord", "team", "mentor",
];
/// Things that happen at a date.
#[rustfmt::skip]
pub(super) const DATED: Words = words![
    "meeting", "appointment", "deadline", "exam", "interview", "flight", "trip", "wedding",
    "party", "presentation", "launch", "release", "conference", "surgery", "concert", "demo",
    "vacation", "holiday", "review", "marathon", "anniversary", "graduation", "call", "workshop",
    "train", "visa", "event", "dinner", "reservation", "checkup", "kickoff", "sprint", "standup",
    "retro", "move", "semester", "course",
];
#[rustfmt::skip]
pub(super) const OWN_NOUNS: Words = words![
    "email", "phone", "number", "address", "role", "title", "company", "employer", "budget",
    "salary", "type", "diet", "editor", "laptop", "car", "bike", "house", "apartment", "pronouns",
    "nickname", "nationality", "religion", "height", "weight", "age", "major", "degree",
    "university", "school", "hobby", "hobbies", "sign", "order", "size", "language", "stack", "os",
    "machine", "allergies", "allergy", "condition", "background", "specialty", "field", "favorite",
    "username", "handle", "office", "desk", "city", "country", "home", "setup", "hours",
    "schedule",
];
#[rustfmt::skip]
pub(super) const PASSING: Words = words![
    "error", "yet", "broken", "stuck", "crashing", "crashes", "failing", "fails", "working?",
    "slow", "bug", "weird", "frozen", "acting", "killing", "hurting", "issue", "exception",
    "compile", "undefined", "late", "tired", "busy",
];
/// After "I have": what tells the same without it.
#[rustfmt::skip]
pub(super) const AFTER_HAVE: Words = words![
    "decided", "chosen", "settled", "lived", "moved", "worked", "switched", "booked", "started",
    "agreed", "bought", "adopted", "quit", "graduated", "stopped", "relocated", "become",
];

/// What "I am …" may say for good.
#[rustfmt::skip]
pub(super) const STATES: Words = words![
    "vegetarian", "vegan", "pescatarian", "diabetic", "celiac", "lactose", "gluten", "colorblind",
    "colourblind", "deaf", "blind", "dyslexic", "autistic", "asthmatic", "married", "single",
    "divorced", "engaged", "retired", "pregnant", "unemployed", "left-handed", "widowed",
    "bilingual", "self-employed", "color-blind", "color", "epileptic", "insulin", "anemic",
    "introverted", "extroverted", "introvert", "extrovert", "gay", "lesbian", "bisexual",
    "transgender", "nonbinary", "non-binary", "kosher", "halal", "sober", "allergic",
];
#[rustfmt::skip]
pub(super) const NOT_ROLES: Words = words![
    "bit", "little", "lot", "mess", "genius", "idiot", "fool", "fan", "huge", "big", "few",
    "couple", "moron", "hour", "minute", "wreck", "robot", "failure", "loser", "millionaire",
    "billionaire", "wizard", "superhero", "potato",
];
#[rustfmt::skip]
pub(super) const JOBS: Words = words![
    "accountant", "actor", "actress", "analyst", "architect", "barista", "carpenter", "ceo", "chef",
    "consultant", "cto", "dentist", "designer", "developer", "doctor", "driver", "economist",
    "electrician", "engineer", "farmer", "firefighter", "journalist", "lawyer", "librarian",
    "manager", "mechanic", "nurse", "officer", "paramedic", "pharmacist", "photographer",
    "physicist", "pilot", "plumber", "professor", "programmer", "psychologist", "researcher",
    "scientist", "surgeon", "teacher", "therapist", "translator", "vet",
];

/// What "I am going to" or "I will" starts when it is no plan.
#[rustfmt::skip]
pub(super) const NOT_PLANS: Words = words![
    "try", "check", "let", "get", "see", "think", "look", "ask", "tell", "show", "send", "paste",
    "give", "need", "use", "bed", "sleep", "be", "do", "say", "read", "test", "explain", "assume",
    "share", "post", "copy", "keep", "go", "take", "wait", "write", "provide", "describe", "call",
    "continue", "need",
];

#[rustfmt::skip]
pub(super) const HABIT_VERBS: Words = words![
    "work from home", "work remotely", "work full-time", "work nights", "work in", "live at",
    "work with", "work on", "work part-time", "study", "studied", "graduated from", "majored in",
    "speak", "do not speak", "own a", "own an", "own", "teach", "run a", "run every", "lead",
    "manage", "play", "drive a", "do not drive", "do not eat", "do not drink", "do not smoke",
    "never eat", "never drink", "eat", "drink", "collect", "volunteer", "practice", "practise",
    "stopped eating", "stopped drinking", "stopped smoking", "quit smoking", "gave up",
    "suffer from", "identify as", "do yoga", "wear", "take care of", "can not eat",
    "can not drink", "can not have", "read", "watch", "listen to", "cook", "bake", "support",
    "wake up", "get up at", "commute", "swim", "cycle", "paint", "sing", "garden", "believe in",
    "invest in", "take medication", "go to the gym", "go running", "make my own", "sleep", "train",
    "do not own", "vote", "served in", "coach", "meditate", "avoid", "follow a",
];
#[rustfmt::skip]
pub(super) const TOOL_VERBS: Words = words![
    "use", "switched to", "switched from", "code in", "program in", "develop in", "write mostly",
    "deploy to", "host", "do not use", "develop on", "subscribe to", "bank with",
];
#[rustfmt::skip]
pub(super) const HAVE_NOUNS: Words = words![
    "daughter", "son", "daughters", "sons", "kids", "kid", "children", "child", "brother",
    "brothers", "sister", "sisters", "sibling", "siblings", "twins", "dog", "dogs", "cat", "cats",
    "puppy", "pet", "pets", "wife", "husband", "girlfriend", "boyfriend", "parrot", "rabbit",
    "hamster", "allergy", "allergies", "diabetes", "asthma", "migraines", "epilepsy", "adhd",
    "autism", "insomnia", "arthritis", "anxiety", "depression", "hypertension", "phd", "degree",
    "master's", "bachelor's", "car", "house", "garden", "motorcycle", "boat", "celiac", "dyslexia",
    "intolerance", "phobia", "fear", "tattoo", "pressure", "experience",
];
#[rustfmt::skip]
pub(super) const HEALTH: Words = words![
    "allergy", "allergies", "diabetes", "asthma", "migraines", "epilepsy", "adhd", "autism",
    "insomnia", "arthritis", "anxiety", "depression", "hypertension", "celiac", "dyslexia",
    "intolerance", "phobia", "pressure",
];
#[rustfmt::skip]
pub(super) const NOT_HABITS: Words = words![
    "forget", "get", "know", "think", "feel", "find", "see", "seem", "mind", "want", "wonder",
    "wondered", "have", "say", "am", "understand", "remember", "be", "been", "knew", "understood",
];
#[rustfmt::skip]
pub(super) const LIFE_EVENTS: Words = words![
    "got married", "got engaged", "got promoted", "got divorced", "got a new", "got a job",
    "got a dog", "got a cat", "got laid off", "got fired", "got accepted", "got into",
    "was diagnosed with", "was promoted", "was laid off", "was fired", "was hired", "passed my", "failed my", "bought a",
    "bought an", "sold my", "started a", "started my", "started working", "started learning",
    "quit my", "left my", "lost my", "adopted a", "adopted", "booked a", "booked an", "booked",
    "joined a", "joined the", "joined", "became a", "became an", "became", "finished my",
    "completed my", "graduated", "retired", "broke my", "had a baby", "had surgery", "won a",
    "won the", "signed up for", "took up", "quit", "moved into", "broke up", "enrolled in",
    "launched", "founded", "published", "ran a", "ran my", "switched jobs", "changed jobs",
    "turned",
];
#[rustfmt::skip]
pub(super) const VALUE_ENDS: Words = words![
    "and", "but", "because", "since", "so", "with", "for", "as", "when", "which", "who", "that",
    "if", "near", "at", "to", "right", "now", "from", "on", "instead", "too", "anymore",
    "although", "though", "while", "where", "after", "before", "or", "over", "more", "than", "by",
    "again", "not", "during", "every", "in", "very", "a",
];

/// Verbs that may share the subject of the one before: "I live in Paris and work at Globex".
#[rustfmt::skip]
pub(super) const SHARED_VERBS: Words = words![
    "work", "live", "love", "like", "hate", "prefer", "use", "drink", "eat", "have", "study",
    "speak", "play", "need", "want", "own", "teach", "run", "enjoy", "do", "am", "plan", "dislike",
    "never", "usually", "always",
];
/// Closers that say nothing.
#[rustfmt::skip]
pub(super) const TAILS: Words = words![
    "by the way", "thank you", "just so you know", "btw", "fyi", "thanks", "please", "actually",
    "though", "cheers",
];
/// What makes a request polite, or names whom it is for.
#[rustfmt::skip]
pub(super) const POLITE: Words = words![
    "can you please", "could you please", "would you please", "can you", "could you", "would you",
    "so please", "please", "i want you to", "i need you to", "i would like you to",
    "i would prefer it if you", "i would prefer if you", "i would appreciate it if you",
    "i would like it if you", "you can just", "you can", "you may", "feel free to", "you should",
    "you need to", "you must", "just", "also",
];
