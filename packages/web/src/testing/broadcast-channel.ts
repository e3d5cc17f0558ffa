import { BroadcastChannel } from 'node:worker_threads'

/** Provides Node's BroadcastChannel, which happy-dom lacks and tabs use to communicate. */
Object.assign(globalThis, { BroadcastChannel })
