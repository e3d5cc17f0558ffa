import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import type { Narrowing } from './event-list-request.ts'

/** What is selected in the list, as bulk changes and exports take it (document 1 section 4). */
export interface SelectedEvents {
  /** `include`: these ids; `exclude`: all that the narrowing finds, but for these ids. */
  mode: SelectionMode
  ids: readonly string[]
  /** How many events that is; in exclude mode the total minus the excluded. */
  count: number
  /** What narrows the list, for exclude mode. */
  narrowing: Narrowing
  clear: () => void
}
