use super::*;

/// A small generator with a seed, so that the set is the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below
    }

    fn of(&mut self, alphabet: &str, length: usize) -> String {
        let bytes = alphabet.as_bytes();
        (0..length)
            .map(|_| char::from(bytes[self.roll(bytes.len())]))
            .collect()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const HEX: &str = "0123456789abcdef";
const DIGITS: &str = "0123456789";
const WORDS: [&str; 24] = [
    "river", "candle", "orbit", "maple", "tiger", "window", "sugar", "planet", "rocket", "garden",
    "silver", "monkey", "purple", "dragon", "summer", "coffee", "guitar", "falcon", "shadow",
    "butter", "castle", "marble", "pepper", "winter",
];

fn luhn_digit(digits: &str) -> char {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| {
            let value = u32::from(byte - b'0') << ((at + 1) % 2);
            value / 10 + value % 10
        })
        .sum();
    char::from(b'0' + u8::try_from((10 - sum % 10) % 10).unwrap_or(0))
}

fn card(dice: &mut Dice) -> String {
    let (prefix, length) = [
        ("4", 16),
        ("51", 16),
        ("2221", 16),
        ("34", 15),
        ("6011", 16),
        ("36", 14),
    ][dice.roll(6)];
    let body = format!("{prefix}{}", dice.of(DIGITS, length - 1 - prefix.len()));
    let number = format!("{body}{}", luhn_digit(&body));
    match dice.roll(3) {
        0 => number,
        gap => {
            let separator = if gap == 1 { " " } else { "-" };
            let groups: Vec<&str> = [0, 4, 8, 12, number.len()]
                .windows(2)
                .filter_map(|bounds| number.get(bounds[0]..bounds[1]))
                .collect();
            groups.join(separator)
        }
    }
}

fn password(dice: &mut Dice) -> String {
    let word = dice.pick(&WORDS).to_owned();
    let mut first = word.clone();
    first[..1].make_ascii_uppercase();
    match dice.roll(6) {
        0 => format!("{word}{}", dice.of(DIGITS, 3)),
        1 => format!(
            "{first}{}{}",
            dice.pick(&["!", "#", "$", "@"]),
            dice.of(DIGITS, 2)
        ),
        2 => format!(
            "{}{}{}",
            dice.of(ALNUM, 6),
            dice.roll(10),
            dice.of("!#$%&*", 1)
        ),
        3 => format!("{word}-{}-{}", dice.pick(&WORDS), dice.roll(90) + 10),
        4 => format!("{word}{}{}", dice.pick(&["_", "."]), dice.of(DIGITS, 4)),
        _ => format!("{}{}", dice.of(LOWER, 5), dice.of(DIGITS, 5)),
    }
}

fn token(dice: &mut Dice) -> String {
    match dice.roll(10) {
        0 => format!("sk-proj-{}7", dice.of(ALNUM, 40)),
        1 => format!("ghp_{}4", dice.of(ALNUM, 35)),
        2 => format!("AKIA{}2", dice.of(UPPER, 15)),
        3 => format!("xoxb-{}-{}", dice.of(DIGITS, 12), dice.of(ALNUM, 24)),
        4 => format!("AIza{}9", dice.of(ALNUM, 34)),
        5 => format!(
            "eyJ{}.eyJ{}.{}",
            dice.of(ALNUM, 24),
            dice.of(ALNUM, 40),
            dice.of(ALNUM, 43)
        ),
        6 => format!("glpat-{}3", dice.of(ALNUM, 20)),
        7 => format!("{}:{}", dice.of("123456789", 9), dice.of(ALNUM, 35)),
        8 => format!("sk_live_{}5", dice.of(ALNUM, 23)),
        _ => format!("npm_{}1", dice.of(ALNUM, 35)),
    }
}

/// A sentence with a secret in it, and the secret.
fn telling(dice: &mut Dice) -> (String, String) {
    match dice.roll(5) {
        0 => {
            let secret = token(dice);
            let around = dice.pick(&[
                "here it is: {}", "use {} for the staging server", "export OPENAI_KEY={}",
                "I pasted {} by mistake", "Authorization: Bearer {}",
                "the token {} expires in May", "我的令牌是{}。", "({})",
            ]);
            (around.replace("{}", &secret), secret)
        }
        1 => {
            let secret = card(dice);
            let around = dice.pick(&[
                "my card is {}", "Visa {} exp 09/28", "charge {} please",
                "card number: {}, cvv later", "The card {} was blocked.", "银行卡号{}",
                "paid with {} yesterday",
            ]);
            (around.replace("{}", &secret), secret)
        }
        2 => {
            let secret = password(dice);
            let around = dice.pick(&[
                "my password is {}",
                "Password: {}",
                "the wifi password for the cabin is {}",
                "pwd={}",
                "password for the router was changed to {}",
                "My Netflix password is \"{}\", don't share it",
                "the passcode is {}",
                "邮箱密码是{}",
                "密码：{}",
                "Mein Passwort ist {}.",
                "password {} works on both",
                "login password = {}",
            ]);
            (around.replace("{}", &secret), secret)
        }
        3 => {
            let length = 4 + 2 * dice.roll(2);
            let secret = dice.of(DIGITS, length);
            let around = dice.pick(&[
                "my PIN is {}", "PIN: {}", "the alarm code is {}", "verification code: {}",
                "验证码是{}", "The door code is {} now", "the pin for the SIM is {}", "cvv {}",
            ]);
            (around.replace("{}", &secret), secret)
        }
        _ => {
            let secret = match dice.roll(3) {
                0 => format!("{}4f", dice.of(HEX, 38)),
                1 => format!("{}7q", dice.of(ALNUM, 30)),
                _ => format!("{}1b9", dice.of(ALNUM, 20)),
            };
            let around = dice.pick(&[
                "api key: {}",
                "the API key for the weather service is {}",
                "api_key={}",
                "access token: {}",
                "client_secret: {}",
                "our secret key is {}",
                "密钥是 {}",
            ]);
            (around.replace("{}", &secret), secret)
        }
    }
}

/// A sentence about the same things without a secret.
fn harmless(dice: &mut Dice) -> String {
    let number = dice.of(DIGITS, 10);
    let invoice = {
        // A number in a card's form whose check digit is wrong.
        let body = format!("4{}", dice.of(DIGITS, 14));
        let wrong = u32::from(luhn_digit(&body)) - u32::from('0');
        format!("{body}{}", (wrong + 1) % 10)
    };
    let uuid = format!(
        "{}-{}-4{}-a{}-{}",
        dice.of(HEX, 8),
        dice.of(HEX, 4),
        dice.of(HEX, 3),
        dice.of(HEX, 3),
        dice.of(HEX, 12)
    );
    let commit = dice.of(HEX, 40);
    let word = dice.pick(&WORDS);
    let around = dice.pick(&[
        "order {invoice} shipped on Monday",
        "call me at +1 {number}",
        "the commit is {commit}",
        "request id {uuid} failed",
        "my password is stored in the vault",
        "the password is in Bitwarden",
        "I forgot my password again",
        "password manager is 1Password",
        "The password was reset yesterday",
        "my passwords are all different",
        "the token budget is 4000 tokens",
        "tokens: 128000",
        "the API key is in the team vault",
        "the secret is to let the dough rest overnight",
        "the pin on the map is {word} street",
        "security code review is due",
        "PIN it to the wall",
        "bowling pin is 38 cm tall",
        "zip code 94107",
        "room 4821 is booked",
        "the code is in src/{word}.rs",
        "flight AA1234 at 10:45",
        "ISBN 978-3-16-148410-0",
        "version 12.4.1 of the {word} app",
        "https://example.com/{word}?id={number}",
        "we meet at 12:30 on 2024-05-18",
        "meeting id 123-456-789",
        "the password policy requires 12 characters",
        "sk-learn-and-pandas-are-installed",
        "密码忘记了",
        "密码保存在保险箱里",
        "他的口令很短",
        "email ana@example.com about the {word}",
        "the api key is required",
        "token ring networks are old",
        "he was fired for a bad password",
        "use a strong password",
        "keyboard layout is qwerty",
        "account number ends in 4821",
        "tracking number 1Z999AA10123456784",
        "the {word} costs 1200 dollars",
        "her password is weak",
        "the passcode is the same everywhere",
        "secret santa is on December 18",
        "the private key is on my laptop",
        "my seed phrase is in the safe",
        "the verification code never arrived",
        "the PIN has 4 digits",
        "otp is disabled",
    ]);
    around
        .replace("{invoice}", &invoice)
        .replace("{number}", &number)
        .replace("{uuid}", &uuid)
        .replace("{commit}", &commit)
        .replace("{word}", word)
}

#[test]
fn secrets_are_masked_and_what_is_none_stays() {
    let mut dice = Dice(20_261_130);
    let (mut hit, mut missed, mut wrong) = (0, Vec::new(), Vec::new());
    for _ in 0..3_000 {
        let (text, secret) = telling(&mut dice);
        match mask(&text) {
            Some(masked) if !masked.contains(&secret) => hit += 1,
            _ => missed.push(text),
        }
        let text = harmless(&mut dice);
        if let Some(masked) = mask(&text) {
            wrong.push(format!("{text} -> {masked}"));
        }
    }
    let hits = f64::from(hit);
    let recall = hits / 3_000.0;
    let precision = hits / (hits + f64::from(u32::try_from(wrong.len()).unwrap_or(u32::MAX)));
    wrong.dedup();
    println!("secrets: precision {precision:.4} recall {recall:.4}");
    assert!(
        recall >= 0.98,
        "recall {recall}: {:#?}",
        &missed[..missed.len().min(20)]
    );
    assert!(
        precision >= 0.99,
        "precision {precision}: {:#?}",
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn a_masked_text_says_what_was_there() {
    for (text, expected) in [
        (
            "My wifi password is hunter2, ok?",
            "My wifi password is [masked password], ok?",
        ),
        (
            "password: \"correct horse battery staple\"",
            "password: \"[masked password]\"",
        ),
        (
            "my password is sunshine.", "my password is [masked password].",
        ),
        (
            "Card 4111 1111 1111 1111 12/26", "Card [masked card number] 12/26",
        ),
        (
            "postgres://app:s3cret@db.example/main",
            "postgres://app:[masked password]@db.example/main",
        ),
        ("the PIN is 4821", "the PIN is [masked code]"),
        (
            "key sk-proj-abcdefghijklmnopqrstuvwx1234 please",
            "key [masked key] please",
        ),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- and more",
            "[masked private key] and more",
        ),
        (
            "seed phrase: river candle orbit maple tiger window sugar planet rocket garden silver monkey",
            "seed phrase: [masked private key]",
        ),
        ("密码是 abc12345。", "密码是 [masked password]。"),
        (
            "no 12-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            "no 12[masked private key]",
        ),
        (
            "mysql -u root -pKettle42 shop", "mysql -u root -p[masked password] shop",
        ),
        ("IBAN DE89 3704 0044 0532 0130 00.", "IBAN [masked number]."),
    ] {
        assert_eq!(mask(text).as_deref(), Some(expected));
        assert_eq!(mask(expected), None, "a masked text stays as it is");
    }
    // The name inside a mark is no name of a secret.
    assert_eq!(mask("password: [masked password] card is 4111 of 5"), None);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_a_fault(text in "(password|密码|sk-|eyJ|://|pin|4|[ -~]|\\PC| is |:|\"){0,40}") {
        if let Some(masked) = mask(&text) {
            proptest::prop_assert!(is_masked(&masked));
        }
    }
}
