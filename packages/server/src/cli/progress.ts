/** Tells on standard error how far a command is: in one line that changes on a screen, in a line now and then elsewhere. */
export interface Progress {
  /** Begins the next part of the work. */
  stage(words: string): void
  at(progress: { table: string; rows: number }): void
  /** Leaves the screen to what is printed next. */
  clear(): void
}

const SCREEN_MS = 200
/** For a log: often enough to see that it goes on. */
const LOG_MS = 10_000

export function showProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  const isScreen = output.isTTY
  const everyMs = isScreen ? SCREEN_MS : LOG_MS
  let lastMs = performance.now()
  let words = ''
  const clear = () => {
    if (isScreen) output.write('\r\x1b[K')
  }
  return {
    stage(next) {
      words = next
      lastMs = performance.now()
      clear()
      output.write(isScreen ? words : `${words}\n`)
    },
    at({ table, rows }) {
      if (performance.now() - lastMs < everyMs) return
      lastMs = performance.now()
      clear()
      const line = `${words} ${table}, ${count(rows)} rows`
      output.write(isScreen ? line : `${line}\n`)
    },
    clear,
  }
}

/** 1234567 as people read it: 1,234,567. */
export function count(number: number): string {
  return number.toLocaleString('en')
}

/** Bytes with one decimal in the unit that suits them. */
export function size(bytes: number): string {
  const [divisor, unit] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / divisor).toFixed(1)} ${unit}`
}

export function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
}
