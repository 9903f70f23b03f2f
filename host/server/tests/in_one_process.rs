//! What can only be seen where renders share a process: that nothing lives
//! while a render waits, and that a hostile plugin disturbs no render beside.

#[cfg(test)]
mod in_one_process {
    mod renders;
    mod workshop;
}
