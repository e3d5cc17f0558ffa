/**
 * Does work that takes up whatever waits, `lanes` times side by side at most. Whoever asks while all of them are busy has
 * one of them look once more, and does not wait: so a knock is never lost, and a second one takes nobody's place.
 */
export function onceMore(work: (stop: AbortSignal) => Promise<void>, lanes = 1): (stop: AbortSignal) => Promise<void> {
  let busy = 0
  let lookAgain = false
  return async (stop) => {
    lookAgain = true
    if (busy === lanes) return
    busy += 1
    try {
      while (lookAgain && !stop.aborted) {
        lookAgain = false
        await work(stop)
      }
    } finally {
      busy -= 1
    }
  }
}
