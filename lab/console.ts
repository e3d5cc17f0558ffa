import { stopProducts } from './product/product.ts'

/** Ctrl-C ends what was started, the database with it. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopProducts().then(
        () => process.exit(130),
        () => process.exit(1),
      )
    })
  }
}

/** Says what went wrong: a sentence for a wrong use, everything for a bug. */
export function fail(error: unknown, isUsage: new (...args: never[]) => Error): void {
  console.error(error instanceof isUsage ? error.message : error)
  process.exitCode = 1
}
