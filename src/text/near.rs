//! Names that were meant, where another was written.

/// How alike two names must be: twice the characters that they have in common, in order, to all.
const ALIKE: f64 = 0.6;

/// Those of `names` that `name` may have been meant to be, the nearest first, at most `count`.
/// Where two are as near, the order is that of the alphabet.
#[must_use]
pub fn near_names<'n>(name: &str, names: &[&'n str], count: usize) -> Vec<&'n str> {
    let name: Vec<char> = name.chars().collect();
    let ranked = names.iter().map(|&other| {
        let letters: Vec<char> = other.chars().collect();
        let length = name.len() + letters.len();
        // Lengths of names are far below what f64 holds exactly.
        #[allow(clippy::cast_precision_loss)]
        let likeness = (2 * in_common(&name, &letters)) as f64 / length.max(1) as f64;
        (likeness, other)
    });
    let mut near: Vec<_> = ranked.filter(|(likeness, _)| *likeness >= ALIKE).collect();
    near.sort_by(|(a, one), (b, two)| b.total_cmp(a).then_with(|| one.cmp(two)));
    near.into_iter().take(count).map(|(_, name)| name).collect()
}

/// The length of the longest common subsequence.
fn in_common(one: &[char], two: &[char]) -> usize {
    let mut row = vec![0; two.len() + 1];
    for a in one {
        let mut diagonal = 0;
        for (at, b) in two.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_strangers_not_at_all() {
        let names = [
            "rollout_status",
            "build_status",
            "rollout_stats",
            "job_logs",
            "",
        ];
        assert_eq!(
            near_names("rolout_status", &names, 3),
            ["rollout_status", "rollout_stats", "build_status"]
        );
        assert_eq!(near_names("rolout_status", &names, 1), ["rollout_status"]);
        assert_eq!(near_names("zzz", &names, 3), [""; 0]);
        assert_eq!(near_names("", &["a"], 3), [""; 0]);
    }

    #[test]
    fn names_as_near_as_each_other_stand_in_order() {
        assert_eq!(
            near_names("get_x", &["get_z", "get_y"], 3),
            ["get_y", "get_z"]
        );
        assert_eq!(near_names("größe", &["größen"], 3), ["größen"]);
    }
}
