/**
 * Shows the progress of a command on standard error: one line that is overwritten on a terminal, a line every ten
 * seconds elsewhere.
 */
export interface Progress {
  /** Starts the next stage of the work. */
  stage(label: string): void
  at(progress: { table: string; rows: number }): void
  /** Clears the progress line before other output. */
  clear(): void
}

const SCREEN_MS = 200
/** Interval between lines in a log. */
const LOG_MS = 10_000

export function showProgress(): Progress {
  const output = process.stderr
  const isScreen = output.isTTY
  const everyMs = isScreen ? SCREEN_MS : LOG_MS
  let lastMs = performance.now()
  let label = ''
  const clear = () => {
    if (isScreen) output.write('\r\x1b[K')
  }
  return {
    stage(next) {
      label = next
      lastMs = performance.now()
      clear()
      output.write(isScreen ? label : `${label}\n`)
    },
    at({ table, rows }) {
      if (performance.now() - lastMs < everyMs) return
      lastMs = performance.now()
      clear()
      const line = `${label} ${table}, ${count(rows)} rows`
      output.write(isScreen ? line : `${line}\n`)
    },
    clear,
  }
}

/** Formats an integer with separators: 1,234,567. */
export function count(number: number): string {
  return number.toLocaleString('en')
}

/** Formats bytes with one decimal in a suitable unit. */
export function size(bytes: number): string {
  const [divisor, unit] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / divisor).toFixed(1)} ${unit}`
}

export function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
}
