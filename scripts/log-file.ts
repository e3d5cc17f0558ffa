import fs from 'node:fs'
import path from 'node:path'

/** A console that runs for months fills at most twice this: the file and the one before it, `<name>.1`. */
const LIMIT_BYTES = 20 * 1024 * 1024

/** A log tells who did what; it is nobody's business but the operator's. */
const OWNER_ONLY = 0o600

export interface LogFile {
  /** Adds one line. Written at once, so that the last words of a program that dies are kept. */
  write(line: string): void
  close(): void
}

/** Opens a log file for appending and makes its folder. `limitBytes` is the size at which the file is put aside. */
export function openLogFile(file: string, limitBytes = LIMIT_BYTES): LogFile {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let descriptor = fs.openSync(file, 'a', OWNER_ONLY)
  let size = fs.fstatSync(descriptor).size
  return {
    write(line) {
      if (size >= limitBytes) {
        fs.closeSync(descriptor)
        fs.renameSync(file, `${file}.1`)
        descriptor = fs.openSync(file, 'a', OWNER_ONLY)
        size = 0
      }
      size += fs.writeSync(descriptor, `${line}\n`)
    },
    close: () => fs.closeSync(descriptor),
  }
}
