// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Whether swap can be served here.

use std::path::Path;

use ztera_machine::capability::Capability;

/// `ztera disk serve --swap` takes CAP_SYS_RESOURCE and FUSE.
pub fn may_serve_swap() -> bool {
    Capability::SysResource.is_effective() && Path::new("/dev/fuse").exists()
}
