import type { ViewState } from '@benchwatch/contract/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'

/** What a list tells about itself to have saved views. */
export interface ViewedList {
  area: ViewArea
  /** The list as nobody has set it up. */
  usual: ViewState
  /** What the list makes of a stored state: filters and columns that it does not know any more are dropped. */
  read: (state: ViewState) => ViewState
  /** The state in a few words, such as 'High · Sweden · Last 30 days'. */
  describe: (state: ViewState) => string
}
