//! A TV and phones that play one game after another and check every tap.

use super::client::{Client, Cut};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

pub struct Table {
    pub tv: Client,
    pub phones: Vec<Client>,
}

impl Table {
    /// Opens a new room with that game, and a phone for each nickname.
    pub fn open(to: SocketAddr, from: Ipv4Addr, game: &str, nicks: &[&str]) -> Result<Table, Cut> {
        let tv = Client::tv(to, from, game)?;
        let join = |nick: &&str| Client::phone(to, from, tv.room(), nick);
        let phones = nicks.iter().map(join).collect::<Result<_, _>>()?;
        Ok(Table { tv, phones })
    }

    /// Returns all clients, the TV first.
    pub fn clients(&mut self) -> impl Iterator<Item = &mut Client> {
        std::iter::once(&mut self.tv).chain(&mut self.phones)
    }

    /// Reads until a game is being played, and asks for a rematch if one is offered.
    pub fn play(&mut self) -> Result<(), Cut> {
        self.tv
            .until("a game or a rematch", |tv| tv.view["phase"] != "open" && tv.view["phase"] != "result")?;
        if self.tv.view["phase"] == "rematch" {
            for phone in &mut self.phones {
                phone.until("the rematch", |phone| phone.view["phase"] != "result")?;
                if phone.view["role"] == "rematch" {
                    phone.send(json!({"t": "rematch"}))?;
                }
            }
            self.tv.until("the next game", |tv| tv.view["phase"] == "play")?;
        }
        Ok(())
    }

    /// Plays the legal move with the chosen index for the player on turn, and waits until all clients see it.
    /// Returns the time from the tap to its view on the TV.
    pub fn tap(&mut self, choose: impl Fn(&[Value]) -> usize) -> Result<Duration, Cut> {
        self.play()?;
        let id = self.tv.view["turn"]["id"].as_u64().unwrap();
        let side = self.tv.view["turn"]["side"].clone();
        for phone in &mut self.phones {
            phone.until("the turn", |phone| turn(&phone.view) >= id)?;
        }
        let Some(phone) = self.phones.iter_mut().find(|phone| phone.view["side"] == side) else {
            panic!("nobody plays side {side}: {}", self.tv.view);
        };
        let moves = phone.view["moves"].as_array().unwrap_or_else(|| panic!("no moves: {}", phone.view));
        let v = moves[choose(moves)].clone();
        let begun = Instant::now();
        phone.send(json!({"t": "move", "v": v, "n": id}))?;
        let seen = |client: &Client| client.view["last"]["id"] == id || turn(&client.view) > id;
        self.tv.until("the tap on the TV", seen)?;
        let took = begun.elapsed();
        for page in self.clients() {
            page.until("the tap", seen)?;
            let last = &page.view["last"];
            // A slow client may see the next game already. Otherwise it must see exactly this move.
            let right = last["v"] == v && last["auto"] == false && last["id"] == id;
            assert!(right || last.is_null(), "{v} in turn {id} was lost: {}", page.view);
        }
        Ok(took)
    }
}

/// Returns the id of a view's turn, or of the last turn if there is none.
pub fn turn(view: &Value) -> u64 {
    view["turn"]["id"].as_u64().or(view["last"]["id"].as_u64()).unwrap_or(0)
}
