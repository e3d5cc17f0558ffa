import { Paper, SimpleGrid, useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { FramedPage, PageFrame, PageHeader, PartLinks } from '../../ui/layout/page-frame.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { askForKpiEmbed, kpiEmbedQuery } from './kpi.api.ts'
import { BUILT_IN, frameAddress, passIn, readToConsole, type ToDashboard } from './kpi-messages.ts'
import { isSameQuestion, type KpiQuestion, writeKpiQuestion } from './kpi-question.ts'

interface Dashboard {
  id: string
  name: string
}

/** Shows the dashboards that the user may see, one at a time in a frame: document 2 section 2 "KPI". */
export function KpiPage(props: {
  /** At least one. */
  dashboards: readonly [Dashboard, ...Dashboard[]]
  /** The dashboard in the address, if any. */
  chosen: string | undefined
  question: KpiQuestion
  onQuestion: (question: KpiQuestion) => void
  onEvents: (search: Record<string, string>) => void
}) {
  const { dashboards, chosen } = props
  const [first] = dashboards
  const dashboard = dashboards.find(({ id }) => id === chosen) ?? first
  return (
    <FramedPage>
      <PageHeader title="KPI" />
      {dashboards.length > 1 && (
        <PartLinks label="Dashboards">
          {dashboards.map(({ id, name }) => (
            <Link
              key={id}
              to="/kpi"
              search={id === first.id ? {} : { dashboard: id }}
              // The router compares paths alone and would mark every link as current.
              activeProps={{ 'aria-current': undefined }}
              aria-current={id === dashboard.id ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </PartLinks>
      )}
      <KpiFrame
        key={dashboard.id}
        dashboard={dashboard}
        question={props.question}
        onQuestion={props.onQuestion}
        onEvents={props.onEvents}
      />
    </FramedPage>
  )
}

interface KpiFrameProps {
  dashboard: { id: string; name: string }
  question: KpiQuestion
  /** Called when the user chooses other days or customers inside the frame. */
  onQuestion: (question: KpiQuestion) => void
  /** Called when the user presses a figure or a bar, with an address of the event list that is not checked. */
  onEvents: (search: Record<string, string>) => void
}

const FAILED = 'The key figures could not be loaded'

/** Shows one dashboard in a frame. A new address is requested whenever it is opened or retried. */
function KpiFrame(props: KpiFrameProps) {
  const { id } = props.dashboard
  const embed = useQuery(kpiEmbedQuery(id))
  const [hasFailed, setFailed] = useState(false)
  const handleFailure = useCallback(() => setFailed(true), [])

  async function load() {
    await embed.refetch()
    setFailed(false)
  }

  if (hasFailed || embed.isError) {
    return (
      <ErrorState title={FAILED} onRetry={() => void load()}>
        {embed.error?.message ?? 'The server did not return a dashboard.'}
      </ErrorState>
    )
  }
  if (embed.isPending || embed.isFetching) return <PageFrame waiting={<Waiting />} />
  const { dashboardEmbedUrl, expiresAt } = embed.data
  return (
    <Frame
      key={dashboardEmbedUrl}
      {...props}
      dashboardEmbedUrl={dashboardEmbedUrl}
      expiresAt={expiresAt}
      onFailure={handleFailure}
    />
  )
}

function Frame(props: KpiFrameProps & { dashboardEmbedUrl: string; expiresAt: string; onFailure: () => void }) {
  const { dashboard, question, onQuestion, onEvents, dashboardEmbedUrl, expiresAt, onFailure } = props
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef(question)
  const [isLoaded, setLoaded] = useState(false)
  // The address never changes: another one would reload the page.
  const [address] = useState(() => frameAddress(dashboardEmbedUrl, { expiresAt, question }))
  const { id } = dashboard

  // Sent to this origin only; dashboards of other origins receive nothing.
  const send = useCallback((message: ToDashboard) => {
    frame.current?.contentWindow?.postMessage(message, window.location.origin)
  }, [])

  useEffect(() => {
    async function handleMessage({ origin, source, data }: MessageEvent<unknown>) {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return
      const said = readToConsole(data)
      if (said?.kind === 'kpi-pass-wanted') send(await freshPass(id))
      if (said?.kind === 'kpi-asked') {
        shown.current = said.question
        onQuestion(said.question)
      }
      if (said?.kind === 'kpi-events') onEvents(said.search)
    }
    const listener = (event: MessageEvent<unknown>) => void handleMessage(event)
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [id, onQuestion, onEvents, send])

  useEffect(() => {
    if (isLoaded) send({ kind: 'kpi-theme', theme })
  }, [theme, isLoaded, send])

  // Runs when the console's address changes, by a link or the back button.
  useEffect(() => {
    if (!isLoaded || isSameQuestion(question, shown.current)) return
    shown.current = question
    send({ kind: 'kpi-question', search: writeKpiQuestion(question) })
  }, [question, isLoaded, send])

  function handleLoad() {
    setLoaded(true)
    // A frame of another origin cannot be inspected. A page of our origin that the browser refused to show has none.
    if (!address.startsWith('/')) return
    const page = frame.current?.contentDocument ?? null
    const isOther = address.startsWith(BUILT_IN) && page?.documentElement.dataset.kpiDashboard === undefined
    if (page === null || isOther) onFailure()
  }

  return (
    <PageFrame waiting={isLoaded ? null : <Waiting />}>
      <iframe ref={frame} title={dashboard.name} src={address} onLoad={handleLoad} />
    </PageFrame>
  )
}

/** Requests another token. The frame's token lasts five minutes, and the frame asks before it expires. */
async function freshPass(id: string): Promise<ToDashboard> {
  try {
    const { dashboardEmbedUrl, expiresAt } = await askForKpiEmbed(id)
    return { kind: 'kpi-pass', pass: passIn(dashboardEmbedUrl, expiresAt) }
  } catch (error) {
    return { kind: 'kpi-pass-failed', reason: reasonOf(error) }
  }
}

const places = [
  ...[1, 2, 3, 4].map((tile) => ({ name: `tile ${tile}`, height: 96, span: 'span 1' })),
  { name: 'wide', height: 260, span: '1 / -1' },
  ...[1, 2].map((half) => ({ name: `half ${half}`, height: 260, span: 'span 2' })),
]

/** Grey placeholders for the dashboard's tiles and panels. */
function Waiting() {
  return (
    <SimpleGrid
      cols={{ base: 2, sm: 4 }}
      spacing={14}
      h="100%"
      p="72px 16px 16px"
      bg="var(--bw-ground)"
      style={{ gridAutoRows: 'min-content' }}
      role="status"
      aria-label="Loading key figures…"
    >
      {places.map(({ name, height, span }) => (
        <Paper key={name} withBorder h={height} p={16} style={{ gridColumn: span }}>
          <SkeletonLine width="38%" />
          <SkeletonLine width="62%" />
        </Paper>
      ))}
    </SimpleGrid>
  )
}
