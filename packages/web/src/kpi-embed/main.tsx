import '../ui/inter.css'
import '../ui/tokens.css'
import './page.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readFragment } from '../features/kpi/kpi-messages.ts'
import { asksAgain, setCredentials } from '../lib/http.ts'
import { watchActivity } from '../lib/session/activity.ts'
import { ConsoleDoor } from './console-door.ts'
import { Dashboard } from './dashboard.tsx'
import { printInLight } from './print-in-light.ts'

/**
 * The built-in dashboard: a page of its own that stands in a frame of the console. It holds no session, only the token in
 * its address, and asks the console for the next one.
 */

const { pass, question } = readFragment(window.location.hash)
// The token must not stay where it could be copied, or come back with the browser's history.
window.history.replaceState(null, '', window.location.pathname)

const consoleDoor = new ConsoleDoor(pass)
setCredentials(consoleDoor.credentials)
// Whoever reads figures uses the console: its session must not end as idle.
watchActivity()
printInLight()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < 3 && asksAgain(error),
    },
  },
})

const root = document.getElementById('root')
if (root === null) throw new Error('kpi-embed/index.html has no element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Dashboard consoleDoor={consoleDoor} initial={question} />
    </QueryClientProvider>
  </StrictMode>,
)
