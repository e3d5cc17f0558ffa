/** Lets a loop sleep until it is rung, a time has passed, or it is told to end. A ring during work is not lost. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(ms: number, until: AbortSignal): Promise<void> {
    if (!this.#rung && !until.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        const end = () => {
          clearTimeout(timer)
          resolve()
        }
        this.#wake = end
        until.addEventListener('abort', end, { once: true })
      })
      this.#wake = null
    }
    this.#rung = false
  }
}
