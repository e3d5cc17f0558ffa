import type { InstrumentWithEvents } from '@benchwatch/contract/instruments/instruments'
import { Anchor, Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TabCard } from '../../../ui/layout/card.tsx'
import { ShortEventTable } from '../../events/details/short-event-table.tsx'
import { useViewer } from '../../events/owner/use-viewer.ts'
import { SupportEmailList } from '../../support-emails/support-email-list.tsx'
import { featuresQuery } from '../../users/users.api.ts'
import { OpenEventsCount, openEventsSplit } from '../open-events.tsx'
import { instrumentEventsAddress } from './instrument-events-address.ts'

/** Rows shown at first; few enough to keep the content below within reach. */
const FIRST_ROWS = 8

export type InstrumentTab = 'events' | 'emails'

/** Reads the open tab from the address. An unknown value opens the first tab. */
export function readInstrumentTab(text: unknown): InstrumentTab {
  return text === 'emails' ? 'emails' : 'events'
}

/**
 * Shows the open events of an instrument and, for users who may see them, the automatic support e-mails to its
 * contact.
 */
export function InstrumentDetailsTabs(props: {
  instrument: InstrumentWithEvents
  tab: InstrumentTab
  onTab: (tab: InstrumentTab) => void
}) {
  const { instrument } = props
  const features = useQuery(featuresQuery())
  // Keeps the e-mail tab of a link open until the features are known.
  const hasEmails = features.data?.includes('AUTO_EMAIL') ?? (features.isPending && props.tab === 'emails')
  const emails = {
    value: 'emails',
    name: 'Automated support emails',
    panel: () => <SupportEmailList instrument={instrument} />,
  } as const
  return (
    <TabCard<InstrumentTab>
      label="Events and e-mails"
      value={hasEmails ? props.tab : 'events'}
      onChange={props.onTab}
      tabs={[
        {
          value: 'events',
          name: (
            <>
              Open Service Events{' '}
              <Badge
                size="sm"
                px={6}
                fw={600}
                c="dimmed"
                bg="var(--bw-closed-soft)"
                title={openEventsSplit(instrument)}
              >
                <OpenEventsCount {...instrument} />
              </Badge>
            </>
          ),
          panel: () => <InstrumentEvents instrument={instrument} />,
        },
        ...(hasEmails ? [emails] : []),
      ]}
    />
  )
}

/** Lists the open events of an instrument, newest first, with a link to all of them. Live messages update the list. */
function InstrumentEvents({ instrument }: { instrument: InstrumentWithEvents }) {
  const { events, eventCount } = instrument
  const viewer = useViewer()
  const [isWhole, setWhole] = useState(false)
  if (events.length === 0)
    return (
      <Text c="dimmed" p="18px 16px 20px">
        No open events on this instrument.
      </Text>
    )
  const hidden = isWhole ? 0 : Math.max(0, events.length - FIRST_ROWS)
  return (
    <>
      <ShortEventTable
        rows={hidden > 0 ? events.slice(0, FIRST_ROWS) : events}
        viewer={viewer}
        showsInstrument={false}
        isStale={false}
      />
      <Group justify="space-between" gap="0 20px" px={16} py={6}>
        {hidden > 0 && (
          <Anchor component="button" type="button" size="sm" py={{ base: 12, sm: 5 }} onClick={() => setWhole(true)}>
            Show {hidden} more
          </Anchor>
        )}
        <Anchor size="sm" ml="auto" py={{ base: 12, sm: 5 }} href={instrumentEventsAddress(instrument)}>
          {eventCount > events.length ? `Show all ${eventCount.toLocaleString('en')}` : 'Show'} in event list
        </Anchor>
      </Group>
    </>
  )
}
