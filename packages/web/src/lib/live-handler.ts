import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { createContext } from 'react'

/** False while the live connection is lost, when new events cannot be known. Set by the live provider. */
export const IsLive = createContext(true)

/** Applies a live message to the data of one feature. Called for every message; ignores those of other features. */
export type LiveHandler = (message: LiveMessage, client: QueryClient) => void
