import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'

/** How one feature lets a live message change what it shows. Called for every message; ignores what is not its own. */
export type LiveHandler = (message: LiveMessage, client: QueryClient) => void
