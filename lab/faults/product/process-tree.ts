import { readdirSync, readFileSync } from 'node:fs'

/** Returns this process and all its descendants, from /proc. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(name)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (let index = 0; index < tree.length; index += 1) tree.push(...(children.get(tree[index] ?? 0) ?? []))
  return tree
}

/** Sends a signal to each process and skips those that have ended. Returns how many got it. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): number {
  let reached = 0
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
      reached += 1
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return reached
}

/** Returns the resident memory of a process in bytes, or null when it has ended. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

/** Linux counts processor time in hundredths of a second, independent of its timer rate. */
const TICK_MS = 10

/** Returns the processor time that a process has used in milliseconds, or null when it has ended. */
export function processorMs(pid: number): number | null {
  try {
    // Fields are counted after the name in parentheses, which may hold blanks: state is the third, user and system time
    // the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return null
  }
}

/** Returns the processor time of several processes together, in milliseconds. */
export function processorMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0)
}

function parentOf(pid: string): number | null {
  try {
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return parent === undefined ? null : Number(parent)
  } catch {
    return null
  }
}
