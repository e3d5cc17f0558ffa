import { BroadcastChannel } from 'node:worker_threads'
import { afterAll } from 'vitest'

const opened: BroadcastChannel[] = []

/** Node's BroadcastChannel, which happy-dom lacks and tabs use to communicate. */
class RecordedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    opened.push(this)
  }
}

Object.assign(globalThis, { BroadcastChannel: RecordedChannel })

// The files of a worker are no tabs of one browser.
afterAll(() => {
  for (const channel of opened) channel.close()
})
