import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from '../keeper/start-keeper.ts'
import { compiled } from './compiled.ts'

export interface CuttableDisk {
  /** The folder on this disk. */
  readonly folder: string
  /** Cuts the power at once: nothing is kept from now on, and every sync fails. */
  cutPower(): Promise<void>
  /**
   * Restores the power. Everything that was synced before the cut is there, and perhaps some unsynced data. Processes
   * with open files on the disk must have ended or be about to end.
   */
  restorePower(): Promise<void>
  remove(): Promise<void>
}

/**
 * An ext4 file system whose disk is a file on another ext4 file system, whose disk is a file, too. The inner file
 * system's flushes are syncs of the outer one. So if the outer one is shut down (EXT4_IOC_SHUTDOWN without its journal,
 * as in Linux' own tests of power cuts), all data is lost that was not flushed from the memory of the operating system
 * and the disk.
 */
const script = `
plug_in() {
  mount -t ext4 -o loop "$FOLDER/outer.img" "$FOLDER/outer" &&
    mount -t ext4 -o loop "$FOLDER/outer/inner.img" "$FOLDER/inner"
}
make() {
  mkdir "$FOLDER/outer" "$FOLDER/inner" &&
    truncate -s "$((SIZE_MB * 5 / 4 + 32))M" "$FOLDER/outer.img" &&
    mkfs.ext4 -q -F -b 4096 "$FOLDER/outer.img" &&
    mount -t ext4 -o loop "$FOLDER/outer.img" "$FOLDER/outer" &&
    truncate -s "\${SIZE_MB}M" "$FOLDER/outer/inner.img" &&
    mkfs.ext4 -q -F -b 4096 "$FOLDER/outer/inner.img" &&
    umount "$FOLDER/outer" && plug_in && chmod 1777 "$FOLDER/inner"
}
cut() {
  "$CUT_POWER" "$FOLDER/outer"
}
pull_out() {
  for try in $(seq 200); do
    if ! mountpoint -q "$FOLDER/inner" || umount "$FOLDER/inner"; then
      umount "$FOLDER/outer"
      return
    fi
    sleep 0.05
  done
  return 1
}
restore() {
  pull_out && plug_in
}
clean_up() {
  # What is still in use goes when its users end.
  umount -l "$FOLDER/inner"
  umount -l "$FOLDER/outer"
  rm -rf --one-file-system "$FOLDER"
}
`

/** Why this machine cannot have such a disk; undefined if it can. */
export function whyNoCuttableDisk(): string | undefined {
  if (process.platform !== 'linux') return 'a power cut needs Linux'
  if (process.getuid?.() !== 0) return 'a power cut needs root, who may mount'
  if (!existsSync('/dev/loop-control')) return 'a power cut needs loop devices'
  try {
    execFileSync('losetup', ['--find'], {
      stdio: 'ignore',
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    })
  } catch {
    return 'a power cut needs loop devices that may be used'
  }
  return undefined
}

/** Makes a disk whose power can be cut while processes write to it. */
export async function makeCuttableDisk(sizeMb: number): Promise<CuttableDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'cuttable-disk-'))
  // Another user may use the disk, such as PostgreSQL's.
  chmodSync(folder, 0o755)
  const { order, stop } = startKeeper({
    what: 'The disk',
    script,
    folder,
    variables: { SIZE_MB: String(sizeMb), CUT_POWER: compiled('cut-power', []) },
  })
  try {
    await order('make')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    folder: join(folder, 'inner'),
    cutPower: () => order('cut'),
    restorePower: () => order('restore'),
    remove: stop,
  }
}
