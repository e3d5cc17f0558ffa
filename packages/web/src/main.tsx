import './ui/mantine-styles.ts'
import './ui/inter.css'
import './ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, createQueryClient } from './app/app.tsx'
import { applyToServiceEvents } from './features/events/live.ts'
import { applyToInstruments } from './features/instruments/live.ts'
import { applyToUsers } from './features/users/live.ts'
import { call } from './lib/http.ts'
import { watchActivity } from './lib/session/activity.ts'
import { holdTab, wereAllTabsClosed } from './lib/session/open-tabs.ts'
import { isSignOutPending, sessionState, startAnonymous, startSession } from './lib/session/session.ts'
import { watchMissingParts } from './lib/stale-build.ts'

/** The only place that knows which features listen to the live connection. */
const liveHandlers = [applyToServiceEvents, applyToInstruments, applyToUsers]

async function start(): Promise<void> {
  watchMissingParts({
    now: Date.now,
    reload: () => window.location.reload(),
    isServerThere: () =>
      call('getHealth').then(
        () => true,
        () => false,
      ),
  })
  watchActivity()
  const isOver = isSignOutPending() || (await wereAllTabsClosed())
  holdTab(() => sessionState().status === 'signed-in')
  await (isOver ? startAnonymous() : startSession())
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <App client={createQueryClient()} liveHandlers={liveHandlers} />
  </StrictMode>,
)
void start()
