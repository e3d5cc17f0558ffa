import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { createContext } from 'react'

/** False while the live connection is lost: nobody knows then what is new. The provider of the connection tells. */
export const IsLive = createContext(true)

/** How one feature lets a live message change what it shows. Called for every message; ignores what is not its own. */
export type LiveHandler = (message: LiveMessage, client: QueryClient) => void
