import { createLiveConnection, type LiveConnection, type LiveState } from '@benchwatch/client/live-messages'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../lib/http.ts'
import { IsLive, type LiveHandler } from '../../lib/live-handler.ts'
import { readEverythingAgain } from '../../lib/read-again.ts'
import { useSession, verifySession } from '../../lib/session/session.ts'
import { createStore, type Store, useStore } from '../../lib/store.ts'

interface Live {
  store: Store<LiveState>
  connection: LiveConnection
}

const LiveContext = createContext<Live | null>(null)

/** Keeps the live connection open while a user is signed in and passes every message to the features. */
export function LiveProvider({ handlers, children }: { handlers: readonly LiveHandler[]; children: ReactNode }) {
  const client = useQueryClient()
  const { user } = useSession()
  const [live] = useState((): Live => {
    const store = createStore<LiveState>({ state: 'connecting', lastMessageAt: null })
    const connection = createLiveConnection({
      fetchToken: async () => (await call('createLiveToken')).token,
      openSocket: (address) => new WebSocket(address),
      onMessage: (message) => {
        for (const handler of handlers) handler(message, client)
      },
      onResync: () => readEverythingAgain(client),
      onSignedOut: () => void verifySession(),
      onState: (change) => store.set({ ...store.get(), ...change }),
    })
    return { store, connection }
  })
  const { connection } = live
  const userId = user?.userId ?? null
  const isLive = useSyncExternalStore(live.store.subscribe, () => live.store.get().state !== 'offline')

  useEffect(() => {
    if (userId === null) return
    connection.start()
    window.addEventListener('online', connection.retryNow)
    return () => {
      window.removeEventListener('online', connection.retryNow)
      connection.stop()
    }
  }, [connection, userId])

  return (
    <LiveContext value={live}>
      <IsLive value={isLive}>{children}</IsLive>
    </LiveContext>
  )
}

/** Returns the state of the live connection and a function to retry at once. */
export function useLive(): LiveState & { retryNow: () => void } {
  const live = use(LiveContext)
  if (live === null) throw new Error('useLive needs a LiveProvider above it')
  return { ...useStore(live.store), retryNow: live.connection.retryNow }
}
