//! Which users have memories or consolidated sessions, for `maintain` to find them.

use crate::key::Key;
use crate::read::Read;
use crate::scope::Scope;
use serde::Serialize;

/// A user whom `maintain` looks after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
pub struct User {
    /// The customer whose user this is.
    pub tenant: String,
    /// The person.
    pub user: String,
}

impl User {
    /// The user of a scope.
    pub fn of(scope: &Scope) -> Self {
        Self {
            tenant: scope.tenant.clone(),
            user: scope.user.clone(),
        }
    }

    /// Its key, which lies outside the user's own.
    pub fn key(&self) -> String {
        Key::new("u1").part(&self.tenant).part(&self.user).build()
    }

    /// Everything of this user.
    pub fn scope(&self) -> Scope {
        Scope {
            tenant: self.tenant.clone(),
            user: self.user.clone(),
            agent: None,
            session: None,
        }
    }
}

/// The bounds of all users.
pub fn all() -> (String, String) {
    Key::new("u1").children()
}

/// The key of the record that says where `maintain` goes on.
pub fn cursor_key() -> String {
    Key::new("m1").part("cursor").build()
}
