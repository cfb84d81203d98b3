//! Countries by name: "lives in Berlin" and "lives in Germany" do not contradict each other.

use crate::similarity::words::is_stem_of;
use crate::words::{Words, words};

#[rustfmt::skip]
const COUNTRIES: Words = words![
    "america", "argentina", "australia", "austria", "bangladesh", "belgium", "brazil", "canada",
    "chile", "china", "colombia", "cuba", "czechia", "denmark", "egypt", "england", "ethiopia",
    "europe", "finland", "france", "germany", "ghana", "greece", "hungary", "iceland", "india",
    "indonesia", "iran", "iraq", "ireland", "israel", "italy", "japan", "kenya", "korea",
    "malaysia", "mexico", "morocco", "nepal", "netherlands", "nigeria", "norway", "pakistan",
    "peru", "philippines", "poland", "portugal", "romania", "russia", "scotland", "serbia",
    "singapore", "south korea", "spain", "sweden", "switzerland", "taiwan", "thailand", "turkey",
    "uk", "ukraine", "united kingdom", "united states", "us", "usa", "vietnam", "wales", "中国",
    "美国", "英国", "法国", "德国", "日本", "韩国", "加拿大", "澳大利亚", "澳洲", "新西兰",
    "新加坡", "马来西亚", "泰国", "越南", "印度", "俄罗斯", "意大利", "西班牙", "葡萄牙", "荷兰",
    "瑞士", "瑞典", "挪威", "丹麦", "芬兰", "巴西", "墨西哥", "埃及", "欧洲",
];

/// Whether the lower-case name, or its stem, is that of a country or the like.
pub(crate) fn is_country(name: &str) -> bool {
    let name = name.strip_prefix("the ").unwrap_or(name);
    COUNTRIES.contains(name) || is_stem_of(name, COUNTRIES)
}
