//! Who a user is at a memory service, which knows one flat list of user ids and, MemOS, one of cubes.
//!
//! - A user of the default tenant keeps their id: `ana`. Of another tenant: `acme!ana`, each part
//!   encoded as in keys of the store, so that no two users share an id whatever theirs hold. An id of
//!   the default tenant that holds a `!` itself is written so, too.
//! - A cube's id is global to a MemOS server and all that bounds a search of its texts. It therefore
//!   carries the user: `ana!user_profile`, `acme!ana!agent_coach`.

use crate::gather::Gather;
use crate::key::Key;
use crate::memory::{MemoryScope, USER_CUBE, agent_cube};
use crate::scope::{DEFAULT_TENANT, Scope};

/// A cube of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    /// Its id at the service.
    pub id: String,
    /// Its name among the user's cubes: `user_profile`, `agent_coach`.
    pub name: String,
    /// Who shares it.
    pub scope: MemoryScope,
    /// The agent whose it is.
    pub agent: Option<String>,
}

/// The user's id at a service.
pub fn user_id(scope: &Scope) -> String {
    if scope.tenant == DEFAULT_TENANT && !scope.user.contains('!') {
        return scope.user.clone();
    }
    Key::new(&scope.tenant).part(&scope.user).build()
}

/// The cube of this scope's memories that the user or the agent shares.
pub fn cube(scope: &Scope, of: MemoryScope) -> Cube {
    let agent = scope.agent.clone().filter(|_| of == MemoryScope::Agent);
    let name = agent.as_deref().map_or(USER_CUBE.to_owned(), agent_cube);
    let key = match scope.tenant.as_str() {
        DEFAULT_TENANT => Key::new(&scope.user),
        tenant => Key::new(tenant).part(&scope.user),
    };
    Cube {
        id: key.part(&name).build(),
        name,
        scope: match agent {
            Some(_) => MemoryScope::Agent,
            None => MemoryScope::User,
        },
        agent,
    }
}

/// The cubes that a call of this scope reads: the user's, then the agent's.
pub fn readable(scope: &Scope) -> Vec<Cube> {
    let agent = scope.agent.as_ref();
    let agent = agent.map(|_| cube(scope, MemoryScope::Agent));
    std::iter::once(cube(scope, MemoryScope::User))
        .chain(agent)
        .gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scope(tenant: &str, user: &str, agent: Option<&str>) -> Scope {
        Scope {
            tenant: tenant.to_owned(),
            user: user.to_owned(),
            agent: agent.map(str::to_owned),
            session: None,
        }
    }

    #[test]
    fn a_user_of_the_default_tenant_keeps_their_id() {
        assert_eq!(user_id(&scope("default", "ana:1 é", None)), "ana:1 é");
        assert_eq!(user_id(&scope("acme", "ana", None)), "acme!ana");
        assert_eq!(
            user_id(&scope("default", "acme!ana", None)),
            "default!acme#21ana"
        );
        let cubes = readable(&scope("acme", "ana", Some("coach")));
        let ids: Vec<&str> = cubes.iter().map(|cube| cube.id.as_str()).collect();
        assert_eq!(ids, ["acme!ana!user_profile", "acme!ana!agent_coach"]);
    }

    proptest! {
        #[test]
        fn no_two_users_share_an_id_or_a_cube(
            a in ("(default|[a!#]{1,3})", "([a!#]{1,3}|default)", "[a!#_]{1,3}"),
            b in ("(default|[a!#]{1,3})", "([a!#]{1,3}|default)", "[a!#_]{1,3}"),
        ) {
            let (x, y) = (scope(&a.0, &a.1, Some(&a.2)), scope(&b.0, &b.1, Some(&b.2)));
            let same_user = (&a.0, &a.1) == (&b.0, &b.1);
            prop_assert_eq!(user_id(&x) == user_id(&y), same_user);
            for (of_x, of_y) in readable(&x).iter().zip(readable(&y)) {
                let same = same_user && of_x.name == of_y.name;
                prop_assert_eq!(of_x.id == of_y.id, same);
            }
        }
    }
}
