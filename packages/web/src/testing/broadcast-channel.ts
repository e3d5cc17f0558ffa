import { BroadcastChannel } from 'node:worker_threads'

/** A test file of the web app has the globals of happy-dom, which lack the one by which tabs talk; Node has the same. */
Object.assign(globalThis, { BroadcastChannel })
