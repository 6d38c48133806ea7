# Functions for the boot tests' machines: systemd-nspawn containers without a network. Their roots are built once, from
# this machine's Debian mirror, and kept in BOOT_CACHE (target/boot). Sourced by `run` and `kiosk`.
# shellcheck shell=bash

cache=$(realpath -m "${BOOT_CACHE:-target/boot}")

# Continues in a mount namespace that ends with this script.
own_mounts() {
	[ -n "${BOOT_TEST_INSIDE:-}" ] || BOOT_TEST_INSIDE=1 exec unshare --mount --propagation slave "$0" "$@"
}

# Prints the package to test: the given one, or a newly built one.
package() {
	package=${1:-}
	if [ -z "$package" ]; then
		PROFILE=${PROFILE:-dev} deploy/package amd64
		package=$(find target/debian -name '*_amd64.deb' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
	fi
}

# machine NAME PACKAGE…: a Debian root of that name with these packages.
machine() {
	root=$cache/$1
	shift
	[ ! -e "$root.done" ] || return 0
	local mirror
	mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
	rm -rf "$root"
	mkdir -p "$cache"
	nice mmdebstrap --quiet --variant=minbase --architectures="${ARCH:-amd64}" --include="$(IFS=, && echo "$*")" \
		trixie "$root" "${mirror:-http://deb.debian.org/debian}"
	touch "$root.done"
}

# boot_unit ROOT SECONDS: installs the unit that runs /payload/inside after the boot.
boot_unit() {
	cat >"$1/etc/systemd/system/boot-test.service" <<-END
		[Unit]
		After=multi-user.target
		RequiresMountsFor=/payload
		[Service]
		Type=oneshot
		ExecStart=/payload/inside
		TimeoutStartSec=$2
	END
}

# next_version PACKAGE OUT: makes the same package with a later version.
next_version() {
	local open
	open=$(mktemp -d)
	dpkg-deb -R "$1" "$open"
	sed -i 's/^Version: .*/&+next/' "$open/DEBIAN/control"
	dpkg-deb -b "$open" "$2" >/dev/null
	rm -rf "$open"
}

# Prints the cgroup of this run's machine in each hierarchy that systemd uses. With the caller's cgroup, machines of
# several runs would share one, and see each other's units.
cgroups() { awk -v own="doozer-boot-$$" '$3 == "cgroup2" || $4 ~ /name=systemd/ { print $2 "/" own }' /proc/mounts; }
in_cgroups() {
	local group
	for group in $(cgroups); do mkdir -p "$group" && echo "$BASHPID" >"$group/cgroup.procs"; done
	exec "$@"
}
leave_cgroups() {
	local group
	for group in $(cgroups); do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; done
}

# boot FILE…: starts the machine on a copy in memory, with the files in /payload, and runs /payload/inside in it.
# Its output is printed, and kept in BOOT_CACHE/last.
boot() {
	local work start=$SECONDS
	work=$(mktemp -d)
	mount -t tmpfs tmpfs "$work"
	mkdir -p "$work"/{payload/out,upper,scratch,root}
	cp "$@" "$work/payload/"
	mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/scratch" "$work/root"
	boot_unit "$work/root" 300
	# 133: the machine has rebooted (systemd-nspawn(1), --keep-unit).
	local result=133
	while [ $result = 133 ]; do
		result=0
		SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 in_cgroups timeout --signal=TERM 400 \
			systemd-nspawn --quiet --directory="$work/root" --machine="doozer-boot-$$" --register=no --keep-unit \
			--private-network --bind="$work/payload:/payload" --boot systemd.wants=boot-test.service systemd.show_status=no \
			>>"$work/payload/out/console" 2>&1 </dev/null &
		wait $! || result=$?
	done
	leave_cgroups
	cat "$work/payload/out/report" 2>/dev/null || { cat "$work/payload/out/console"; result=1; }
	rm -rf "$cache/last"
	cp -r "$work/payload/out" "$cache/last"
	[ "$(cat "$work/payload/out/stage" 2>/dev/null)" = "done" ] || result=1
	umount "$work/root" "$work"
	rmdir "$work"
	if [ "$result" != 0 ]; then
		echo "$0 FAILED ($result); console, journal and pictures: $cache/last" >&2
		exit 1
	fi
	echo "$0 passed in $((SECONDS - start)) s"
}

# emulate PROCESSOR SECONDS FILE…: does the same in an emulated machine with its own kernel, on a copy of the root.
# Slow, since there is no hardware virtualization. The machine has no network.
emulate() {
	local processor=$1 seconds=$2 work start=$SECONDS console=ttyS0
	shift 2
	work=$(mktemp -d)
	mount -t tmpfs -o size=5G tmpfs "$work"
	mkdir -p "$work"/{payload/out,upper,scratch,root,back}
	cp "$@" "$work/payload/"
	mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/scratch" "$work/root"
	boot_unit "$work/root" "$seconds"
	mkdir "$work/root/payload"
	echo '/dev/vdb /payload ext4 defaults 0 0' >>"$work/root/etc/fstab"
	cp "$work"/root/boot/vmlinuz-* "$work/kernel"
	cp "$work"/root/boot/initrd.img-* "$work/initrd"
	truncate -s 2500M "$work/disk"
	mke2fs -q -t ext4 -d "$work/root" "$work/disk"
	umount "$work/root"
	truncate -s 128M "$work/load"
	mke2fs -q -t ext4 -d "$work/payload" "$work/load"
	local machine=(-machine q35 -cpu max -smp 2 -m 1536)
	[ "$processor" = x86_64 ] || { machine=(-machine virt -cpu cortex-a72 -smp 2 -m 1024); console=ttyAMA0; }
	nice timeout --signal=TERM "$seconds" "qemu-system-$processor" "${machine[@]}" -kernel "$work/kernel" -initrd "$work/initrd" \
		-append "root=/dev/vda rw console=$console systemd.wants=boot-test.service systemd.show_status=no quiet" \
		-drive "file=$work/disk,if=virtio,format=raw,cache=unsafe" -drive "file=$work/load,if=virtio,format=raw,cache=unsafe" \
		-nic none -nographic -serial "file:$work/console" -monitor none </dev/null || true
	rm -rf "$cache/last"
	mkdir "$cache/last"
	mount -o loop "$work/load" "$work/back"
	cp -r "$work/back/out/." "$work/console" "$cache/last/"
	umount "$work/back" "$work"
	rmdir "$work"
	cat "$cache/last/report" 2>/dev/null || tail -n 40 "$cache/last/console"
	[ "$(cat "$cache/last/stage" 2>/dev/null)" = "done" ] || { echo "$0 FAILED; console and lists: $cache/last" >&2; exit 1; }
	echo "$0 passed in $((SECONDS - start)) s"
}
