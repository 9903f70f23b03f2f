//! The order that packets must keep.

use std::collections::BTreeSet;

use crate::model::Packet;

/// The frames that wait for their packets, and the last packet's time of decoding.
pub(super) struct Order {
    frame_duration: u32,
    waiting: BTreeSet<i64>,
    last_dts: Option<i64>,
}

impl Order {
    pub(super) fn new(frame_duration: u32) -> Self {
        Self { frame_duration, waiting: BTreeSet::new(), last_dts: None }
    }

    /// A frame came. It is the host's mistake if it has no time.
    pub(super) fn came(&mut self, index: u64) -> Result<(), String> {
        let time = index.checked_mul(self.frame_duration.into());
        let time = time.and_then(|time| i64::try_from(time).ok());
        let time = time.ok_or_else(|| format!("frame {index} is too late to be encoded"))?;
        self.waiting.insert(time);
        Ok(())
    }

    /// A packet was made; the error is the broken rule.
    pub(super) fn made(&mut self, packet: &Packet) -> Result<(), String> {
        let Packet { pts, dts, duration, is_sync, .. } = *packet;
        match self.last_dts {
            None if !is_sync => {
                return Err("its frame-encoder began with a packet that is not a sync one".into());
            }
            Some(last) if dts <= last => {
                return Err(format!(
                    "its frame-encoder returned a packet decoded at {dts} after one decoded at {last}"
                ));
            }
            _ => {}
        }
        if dts > pts {
            return Err(format!(
                "its frame-encoder returned a packet that is decoded at {dts}, after it is \
                 presented at {pts}"
            ));
        }
        if duration != self.frame_duration {
            return Err(format!(
                "its frame-encoder returned a packet of {duration} ticks, a frame has {}",
                self.frame_duration
            ));
        }
        if !self.waiting.remove(&pts) {
            return Err(format!(
                "its frame-encoder returned a packet for {pts}, the time of no frame that has come \
                 and has no packet yet; frame n is at n times {}",
                self.frame_duration
            ));
        }
        self.last_dts = Some(dts);
        Ok(())
    }

    /// There are no more packets; the error is the broken rule.
    pub(super) fn end(&self) -> Result<(), String> {
        match (self.waiting.len(), self.waiting.first()) {
            (missing, Some(first)) => Err(format!(
                "its frame-encoder returned no packet for {missing} frames, the first of them at \
                 {first}"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn packet(pts: i64, dts: i64) -> Packet {
        Packet { track: 0, pts, dts, duration: 10, is_sync: true, data: Bytes::new() }
    }

    fn of_frames(indices: &[u64]) -> Order {
        let mut order = Order::new(10);
        indices.iter().for_each(|index| order.came(*index).unwrap());
        order
    }

    #[test]
    fn frames_may_be_decoded_in_another_order_than_they_are_shown() {
        let mut order = of_frames(&[0, 1, 2]);
        for packet in [packet(0, -10), packet(20, 0), packet(10, 10)] {
            order.made(&packet).unwrap();
        }
        order.end().unwrap();
    }

    #[test]
    fn a_track_may_begin_anywhere_on_the_raster() {
        let mut order = of_frames(&[7]);
        order.made(&packet(70, 70)).unwrap();
        order.end().unwrap();
        assert!(order.came(u64::MAX / 2).is_err());
    }

    #[test]
    fn each_broken_rule_is_named() {
        let not_sync = Packet { is_sync: false, ..packet(0, 0) };
        let short = Packet { duration: 9, ..packet(0, 0) };
        for (packets, rule) in [
            (vec![not_sync], "not a sync one"),
            (vec![short], "of 9 ticks, a frame has 10"),
            (vec![packet(0, 1)], "after it is presented"),
            (vec![packet(5, 5)], "the time of no frame"),
            (vec![packet(20, 0)], "the time of no frame"),
            (vec![packet(0, -1), packet(0, 0)], "has no packet yet"),
            (vec![packet(10, 0), packet(0, 0)], "decoded at 0 after one decoded at 0"),
        ] {
            let mut order = of_frames(&[0, 1]);
            let broken = packets.iter().find_map(|packet| order.made(packet).err()).unwrap();
            assert!(broken.contains(rule), "{broken}");
        }
        let rule = of_frames(&[1, 2]).end().unwrap_err();
        assert!(rule.contains("no packet for 2 frames") && rule.ends_with("at 10"), "{rule}");
    }
}
