//! Runs the models.

#[test]
fn slot_lock() {
    ztera_loom::models::slot_lock();
}

#[test]
fn doorbell() {
    ztera_loom::models::doorbell();
}

#[test]
fn fullness() {
    ztera_loom::models::fullness();
}

#[test]
fn queue() {
    ztera_loom::models::queue();
}

#[test]
fn recent_pins() {
    ztera_loom::models::recent_pins();
}
