import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from '../keeper/start-keeper.ts'
import { compiled } from './compiled.ts'

export interface CuttableDisk {
  /** What lies below obeys this disk. */
  readonly folder: string
  /** At once: nothing is kept any more, and every sync fails. */
  cutPower(): Promise<void>
  /**
   * What was synced before the cut is there, of the rest whatever had got so far by itself. Whoever had files open on it
   * must have ended, or be about to.
   */
  restorePower(): Promise<void>
  remove(): Promise<void>
}

/**
 * An ext4 file system whose disk is a file on another ext4 file system, whose disk is a file. The inner one's flushes
 * are the outer one's syncs, so when the outer one is shut down (EXT4_IOC_SHUTDOWN without its journal, as in Linux' own
 * tests of power cuts), all is gone that was not flushed: what lay in the memory of the operating system, and in that of
 * the disk.
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

/** Why there can be none here; undefined where there can. */
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

/** A disk of its own whose power can be cut while processes write to it. */
export async function makeCuttableDisk(sizeMb: number): Promise<CuttableDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'cuttable-disk-'))
  // Who uses it may be somebody else, as PostgreSQL is.
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
