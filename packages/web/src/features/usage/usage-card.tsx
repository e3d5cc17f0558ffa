import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../lib/folded.ts'
import { Card } from '../../ui/layout/card.tsx'
import { useFailureToast } from '../../ui/overlay/toasts.ts'
import { RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { ComponentDetails } from './component-details.tsx'
import { ComponentList } from './component-list.tsx'
import { componentUsageQuery, USAGE_POLL_MS, useFlags } from './usage.api.ts'
import styles from './usage.module.css'

interface UsageCardProps {
  instrument: { id: string; instrumentType: string }
}

/**
 * Usage of an instrument's components: the list, or the details of one component in its place. Without both flags that
 * show it, the card sends no request. Document 2 sections 2 and 4.
 */
export function UsageCard({ instrument }: UsageCardProps) {
  const isShown = useFlags('ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS')
  return isShown ? <ComponentUsageCard key={instrument.id} instrument={instrument} /> : null
}

function ComponentUsageCard({ instrument }: UsageCardProps) {
  const usage = useQuery({ ...componentUsageQuery(instrument), refetchInterval: USAGE_POLL_MS })
  useFailureToast(usage, 'Component usage could not be loaded.')
  const [opened, setOpened] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  const components = usage.data
  const component = components?.find(({ componentName }) => componentName === opened)

  return (
    <Card
      title="Component usage"
      end={
        components !== undefined &&
        components.length > 0 && (
          <Text size="xs" c="dimmed">
            {counted(components.length, 'component')}
          </Text>
        )
      }
      flush
    >
      <div className={styles.body}>
        {components === undefined ? (
          usage.isPending ? (
            <WaitingList />
          ) : (
            <Box px={16} py={12}>
              <RetryLine onRetry={() => void usage.refetch()}>Component usage could not be loaded.</RetryLine>
            </Box>
          )
        ) : component !== undefined ? (
          <ComponentDetails
            instrumentId={instrument.id}
            component={component}
            onBack={() => {
              setOpened(null)
              setLeft(component.componentName)
            }}
          />
        ) : (
          <ComponentList components={components} returnedFrom={left} onOpen={setOpened} />
        )}
      </div>
    </Card>
  )
}

const WAITING_ROWS = 6

function WaitingList() {
  return (
    <div role="status" aria-label="Loading component usage…">
      {Array.from({ length: WAITING_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <Stack key={index} className={styles.bones} justify="center" gap={9} h={53} px={16}>
          <SkeletonLine width={`${52 - index * 4}%`} />
          <SkeletonLine width={`${88 - index * 6}%`} />
        </Stack>
      ))}
    </div>
  )
}
