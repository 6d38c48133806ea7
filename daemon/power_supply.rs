//! Reads a Raspberry Pi's under-voltage alarm, which shows that its power supply is too weak.

use std::fs;
use std::path::Path;

/// Returns whether the voltage is too low now, or `None` on a machine without the sensor.
pub fn under_voltage() -> Option<bool> {
    read(Path::new("/sys/class/hwmon"))
}

/// Reads the alarm below a directory such as `/sys/class/hwmon`. It is `in0_lcrit_alarm` of the sensor `rpi_volt`
/// (Linux, drivers/hwmon/raspberrypi-hwmon.c).
fn read(sensors: &Path) -> Option<bool> {
    let text = |path: &Path| fs::read_to_string(path).ok();
    let mut sensors = fs::read_dir(sensors).ok()?.flatten().map(|entry| entry.path());
    let sensor =
        sensors.find(|path| text(&path.join("name")).is_some_and(|name| name.trim() == "rpi_volt"))?;
    match text(&sensor.join("in0_lcrit_alarm"))?.trim() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raspberry_pis_own_sensor_is_asked_among_others() {
        let dir = std::env::temp_dir().join(format!("doozer-box-hwmon-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(read(&dir), None);
        write("hwmon0/name", "cpu_thermal\n");
        write("hwmon0/in0_lcrit_alarm", "1\n");
        assert_eq!(read(&dir), None);
        write("hwmon1/name", "rpi_volt\n");
        assert_eq!(read(&dir), None);
        write("hwmon1/in0_lcrit_alarm", "0\n");
        assert_eq!(read(&dir), Some(false));
        write("hwmon1/in0_lcrit_alarm", "1\n");
        assert_eq!(read(&dir), Some(true));
        fs::remove_dir_all(dir).unwrap();
    }
}
