// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How instances are made of what the dump has of them, class by class.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::classes::Classes;
use super::layout::Layout;
use super::types::Type;

/// Bytes between two classes, about what HotSpot's `InstanceKlass` takes with the tables behind it.
pub const KLASS_BYTES: u32 = 680;

/// Those of primitive arrays come first.
const PRIMITIVE_CLASSES: u32 = 16;

/// The class pointer of the class in this place.
fn class_pointer(place: u32) -> u32 {
    PRIMITIVE_CLASSES.wrapping_add(place).wrapping_mul(KLASS_BYTES)
}

/// The class pointer of arrays of this type.
pub fn class_pointer_of_array(element: Type) -> u32 {
    element as u32 * KLASS_BYTES
}

/// Where one field comes from, and goes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Byte of the contents in the dump.
    pub from: usize,
    /// Byte of the instance.
    pub to: usize,
    /// The kind.
    pub kind: Type,
}

/// How the instances of a class look.
#[derive(Debug, PartialEq)]
pub struct Shape {
    /// Narrow.
    pub class_pointer: u32,
    /// Bytes of an instance.
    pub bytes: usize,
    /// Bytes of its contents in the dump.
    pub body: usize,
    /// Bytes of a reference in them.
    pub id_bytes: usize,
    /// All fields.
    pub moves: Box<[Move]>,
}

/// The shapes of all classes that have instances.
pub struct Shapes {
    classes: Classes,
    id_bytes: usize,
    reference: usize,
    known: HashMap<u64, Shape>,
}

impl Shapes {
    /// With ids of `id_bytes` in the dump, and references of `reference` bytes in the heap.
    pub fn new(classes: Classes, id_bytes: usize, reference: usize) -> Self {
        Self { classes, id_bytes, reference, known: HashMap::new() }
    }

    /// That of a class whose instances have `body` bytes of contents in the dump; if that cannot be, says why.
    pub fn of(&mut self, class: u64, body: u64) -> Result<&Shape, &'static str> {
        let shape = match self.known.entry(class) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(shape(&self.classes, class, self.id_bytes, self.reference)?),
        };
        if shape.body as u64 == body {
            Ok(shape)
        } else {
            Err("an instance is not as long as its class says")
        }
    }

    /// The class pointer of arrays of a class. Not every dump has the classes of arrays.
    pub fn class_pointer(&self, class: u64) -> u32 {
        self.classes.place(class).map_or(class_pointer_of_array(Type::Reference), class_pointer)
    }
}

fn shape(classes: &Classes, class: u64, id_bytes: usize, reference: usize) -> Result<Shape, &'static str> {
    let place = classes.place(class).ok_or("an instance of a class that is not in it")?;
    let ancestry =
        classes.ancestry(class).ok_or("a class whose superclass is not in it, or is the class itself")?;
    let mut layout = Layout::new(reference);
    // Superclasses are laid out first, and dumped last.
    let offsets: Vec<_> = ancestry.iter().rev().map(|class| layout.add(&class.fields)).collect();
    let targets = offsets.into_iter().rev().flatten();
    let kinds = ancestry.iter().flat_map(|class| class.fields.iter());
    let mut body = 0;
    let field = |(to, &kind): (usize, &Type)| {
        let from = body;
        body += kind.bytes(id_bytes);
        Move { from, to, kind }
    };
    let moves = targets.zip(kinds).map(field).collect();
    Ok(Shape { class_pointer: class_pointer(place), bytes: layout.bytes(), body, id_bytes, moves })
}

#[cfg(test)]
mod tests {
    use super::super::records::Class;
    use super::*;

    fn shapes(classes: impl IntoIterator<Item = (u64, u64, Vec<Type>)>) -> Shapes {
        let mut known = Classes::default();
        for (id, superclass, fields) in classes {
            known.add(Class { id, superclass, fields: fields.into() });
        }
        Shapes::new(known, 8, 4)
    }

    #[test]
    fn own_fields_are_dumped_before_those_of_the_superclass() {
        let mut shapes = shapes([(8, 0, vec![Type::Int]), (16, 8, vec![Type::Reference, Type::Byte])]);
        let shape = shapes.of(16, 13).unwrap();
        let moves = [(0, 20, Type::Reference), (8, 16, Type::Byte), (9, 12, Type::Int)];
        assert_eq!(*shape.moves, moves.map(|(from, to, kind)| Move { from, to, kind }));
        assert_eq!((shape.bytes, shape.body), (24, 13));
    }

    #[test]
    fn what_cannot_be_is_explained() {
        let mut shapes = shapes([(8, 0, vec![Type::Int]), (16, 24, vec![])]);
        assert_eq!(shapes.of(8, 5), Err("an instance is not as long as its class says"));
        assert_eq!(shapes.of(9, 0), Err("an instance of a class that is not in it"));
        assert!(shapes.of(16, 0).unwrap_err().contains("superclass"));
        assert!(shapes.of(8, 4).is_ok() && shapes.of(8, 5).is_err());
    }

    #[test]
    fn each_class_has_a_pointer_of_its_own() {
        let mut shapes = shapes([(8, 0, vec![]), (16, 8, vec![])]);
        let pointers = [8, 16].map(|class| shapes.of(class, 0).unwrap().class_pointer);
        assert_eq!(pointers, [8, 16].map(|class| shapes.class_pointer(class)));
        let arrays = (2..12).filter_map(Type::from_number).map(class_pointer_of_array);
        assert!(pointers[0] != pointers[1] && arrays.max() < pointers.into_iter().min());
    }
}
