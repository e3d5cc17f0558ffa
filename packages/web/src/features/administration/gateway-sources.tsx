import type {
  ConnectedGateway,
  GatewaySource,
  MissingTemplate,
  ParkedReason,
} from '@benchwatch/contract/administration/administration'
import { templateIdOf } from '@benchwatch/contract/messages/template-ids'
import { moduleOf, ruleText } from '@benchwatch/contract/source-file'
import { Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { typeLabel, useInstrumentTypes } from '../../lib/instrument-type.ts'
import { readableReason } from '../../lib/readable-reason.ts'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import { age, agePhrase } from '../../lib/time/duration.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { TwoLines } from '../../ui/text/fact.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import { gatewayQuery } from './administration.api.ts'

type UnmatchedName = GatewaySource['unmatchedNames'][number] & Pick<GatewaySource, 'kind'> & { source: string }

/**
 * The sources of a gateway, with messages that have no rule, reports that the server could not process, and events that
 * have no template yet. `retry` leads to where parked items are retried.
 */
export function GatewaySources({ gateway, retry }: { gateway: string; retry: ReactNode }) {
  const answer = useQuery(gatewayQuery(gateway))
  const types = useInstrumentTypes()
  const now = useNow()
  const names = answer.data && unmatchedNames(answer.data.sources)
  return (
    <>
      <Section title="Sources" note="What the gateway listens to. Items and messages are counted since its start.">
        <TableCard
          label={`Sources of ${gateway}`}
          columns={sourceColumns(now, isSilent(answer.data?.lastContactAt ?? null, now))}
          rowKey={({ name }) => name}
          expectedRows={2}
          answer={{ ...answer, data: answer.data?.sources }}
          failureTitle="Could not get sources"
          empty={
            <EmptyState title="No sources">
              This gateway has not reported any. Connect an instrument, and start the gateway with the file.
            </EmptyState>
          }
        />
      </Section>
      {names !== undefined && names.length > 0 && (
        <Section
          title="Messages that no rule matched"
          note="Make an event template from a name, then add its rule to the gateway’s file. The name disappears after the gateway’s next start."
        >
          <TableCard
            label="Messages that no rule matched"
            columns={nameColumns(gateway, now)}
            rowKey={({ source, field, name }) => `${source} ${field} ${name}`}
            answer={{ ...answer, data: names }}
            failureTitle="Could not get names"
          />
        </Section>
      )}
      {answer.data !== undefined && answer.data.parked.length > 0 && (
        <Section
          title="Parked items"
          note="Reports that the server could not process. Register what is missing; then they can be retried in the back office."
          end={retry}
        >
          <TableCard
            label="Parked items"
            columns={parkedColumns(now)}
            rowKey={({ code, reason }) => `${code} ${reason}`}
            answer={{ ...answer, data: answer.data.parked }}
            failureTitle="Could not get parked items"
          />
        </Section>
      )}
      {answer.data !== undefined && answer.data.missingTemplates.length > 0 && (
        <Section
          title="Events without a template"
          note="Events of the last 30 days whose template ID is not registered for the type of their instrument."
        >
          <TableCard
            label="Events without a template"
            columns={templateColumns({ gateway, now, labelOf: (type) => typeLabel(types, type) })}
            rowKey={({ instrumentType, templateId }) => `${instrumentType}/${templateId}`}
            answer={{ ...answer, data: answer.data.missingTemplates }}
            failureTitle="Could not get templates"
          />
        </Section>
      )}
    </>
  )
}

/** A part of the page of a gateway, with controls at the end of its title. */
export function Section(props: { title: string; note: ReactNode; end?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={props.title}>
      <Group justify="space-between" align="flex-end" gap="8px 24px" mb={8}>
        <div>
          <Title order={2} fz="sm">
            {props.title}
          </Title>
          <Text size="sm" c="dimmed" textWrap="pretty">
            {props.note}
          </Text>
        </div>
        {props.end}
      </Group>
      {props.children}
    </section>
  )
}

/** The age of an instant, which a pointer shows in full. */
export function Ago({ at, now }: { at: string | null; now: number }) {
  return at === null ? 'Never' : <ZonedTime at={at}>{agePhrase(at, now)}</ZonedTime>
}

/** Returns the names of all sources, the one seen last first. */
export function unmatchedNames(sources: readonly GatewaySource[]): UnmatchedName[] {
  return sources
    .flatMap(({ name: source, kind, unmatchedNames: names }) => names.map((one) => ({ ...one, source, kind })))
    .toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))
}

/** Returns the template id that alarms of a name get: the one that the gateway makes of `<module>-<name>`. */
export function templateIdFor({ source, name }: Pick<UnmatchedName, 'source' | 'name'>): string {
  return templateIdOf(`${moduleOf(source)}-${name}`)
}

const SILENT_MS = 10 * 60_000

/** Returns true if a gateway has reported nothing for ten minutes, so that its last report may be out of date. */
export function isSilent(lastContactAt: string | null, now: number): boolean {
  return lastContactAt === null || now - Date.parse(lastContactAt) > SILENT_MS
}

/** Returns how a gateway's sources are: `lost` if none reports, because all are down or the gateway is silent. */
export function sourcesTone(
  { sources, sourcesDown, lastContactAt }: Pick<ConnectedGateway, 'sources' | 'sourcesDown' | 'lastContactAt'>,
  now: number,
): StatusTone {
  if (isSilent(lastContactAt, now) || sourcesDown === sources) return 'lost'
  return sourcesDown === 0 ? 'good' : 'warning'
}

function stateLabel(state: GatewaySource['state'], span: string): string {
  return `${state === 'up' ? 'Up' : 'Down'} for ${span === 'Now' ? 'less than a minute' : span}`
}

const number = (value: number | null) => value?.toLocaleString('en') ?? '–'

const sourceColumns = (now: number, hasGone: boolean): Column<GatewaySource>[] => [
  {
    key: 'name',
    label: 'Source',
    grow: 1.2,
    cell: ({ name, kind }) => (
      <TwoLines second={kind}>
        <strong>{name}</strong>
      </TwoLines>
    ),
  },
  {
    key: 'state',
    label: 'State',
    grow: 1.6,
    cell: ({ state, since, reason }) => (
      <TwoLines second={reason}>
        <StatusMark tone={state === 'up' && !hasGone ? 'good' : 'lost'}>
          <time dateTime={since} title={`Since ${formatTooltipTime(since)}`}>
            {hasGone ? `Last report: ${state}` : stateLabel(state, age(since, now))}
          </time>
        </StatusMark>
      </TwoLines>
    ),
  },
  { key: 'items', label: 'Items', grow: 0.6, isNumber: true, cell: ({ items }) => number(items) },
  {
    key: 'last',
    label: 'Last item',
    grow: 0.9,
    cell: ({ items, lastItemAt }) => (items === null ? '–' : <Ago at={lastItemAt} now={now} />),
  },
  { key: 'unmatched', label: 'Unmatched', grow: 0.7, isNumber: true, cell: ({ unmatched }) => number(unmatched) },
  {
    key: 'faulty',
    label: 'Not readable',
    grow: 2.4,
    cell: ({ faulty, lastFault }) => <TwoLines second={lastFault}>{number(faulty)}</TwoLines>,
  },
]

const nameColumns = (gateway: string, now: number): Column<UnmatchedName>[] => [
  {
    key: 'name',
    label: 'Name',
    grow: 2,
    cell: ({ name, field, source }) => (
      <TwoLines second={`${field} of ${source}`}>
        <bdi>{name}</bdi>
      </TwoLines>
    ),
  },
  { key: 'count', label: 'Messages', grow: 0.6, isNumber: true, cell: ({ count }) => number(count) },
  { key: 'last', label: 'Last seen', grow: 0.8, cell: ({ lastAt }) => <Ago at={lastAt} now={now} /> },
  {
    key: 'action',
    label: 'Template and rule',
    grow: 1.4,
    cell: (one) => {
      const templateId = templateIdFor(one)
      return (
        <Group gap={6} wrap="nowrap">
          <NewTemplate name={one.name} search={{ from: gateway, templateId, description: one.name }} />
          <CopyButton text={ruleText({ ...one, templateId })} label={`Copy the rule for ${one.name}`} />
        </Group>
      )
    },
  },
]

const parkedColumns = (now: number): Column<ParkedReason>[] => [
  {
    key: 'reason',
    label: 'Reason',
    grow: 4,
    cell: ({ code, reason }) => <TwoLines second={<code>{code}</code>}>{readableReason(reason)}</TwoLines>,
  },
  { key: 'count', label: 'Items', grow: 0.6, isNumber: true, cell: ({ count }) => number(count) },
  { key: 'last', label: 'Last received', grow: 0.8, cell: ({ lastAt }) => <Ago at={lastAt} now={now} /> },
]

const templateColumns = ({
  gateway,
  now,
  labelOf,
}: {
  gateway: string
  now: number
  labelOf: (type: string) => string
}): Column<MissingTemplate>[] => [
  {
    key: 'id',
    label: 'Template ID',
    grow: 2,
    cell: ({ templateId, description }) => (
      <TwoLines second={<bdi>{description}</bdi>}>
        <strong>{templateId}</strong>
      </TwoLines>
    ),
  },
  { key: 'type', label: 'Instrument type', cell: ({ instrumentType }) => labelOf(instrumentType) },
  { key: 'count', label: 'Events', grow: 0.6, isNumber: true, cell: ({ count }) => number(count) },
  { key: 'last', label: 'Last event', grow: 0.8, cell: ({ lastAt }) => <Ago at={lastAt} now={now} /> },
  {
    key: 'action',
    label: 'Template',
    grow: 1.2,
    cell: ({ count: _count, lastAt: _lastAt, ...known }) => (
      <NewTemplate name={known.templateId} search={{ from: gateway, ...known }} />
    ),
  },
]

/** Opens the form of a new event template with these fields. */
function NewTemplate({ name, search }: { name: string; search: Record<string, string> }) {
  return (
    <LinkButton
      to="/administration/registry/$kind/new"
      params={{ kind: 'event-templates' }}
      search={search}
      variant="default"
      size="compact-sm"
      aria-label={`Make a template from ${name}`}
    >
      Make a template
    </LinkButton>
  )
}
