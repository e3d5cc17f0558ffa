import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PRODUCT_NAME, productQuery } from '../lib/page-settings.ts'
import { formatEventTime, formatZone } from '../lib/time/dates.ts'
import { usePrinting } from './use-printing.ts'

/** Print header: product, print date and active filters. Hidden on screen. */
export function PrintHead({ narrowedBy = [] }: { narrowedBy?: readonly string[] }) {
  const printedAt = usePrinting()
  const product = useQuery(productQuery()).data?.product ?? PRODUCT_NAME
  if (printedAt === null) return null
  return (
    <Group
      component="p"
      align="baseline"
      wrap="nowrap"
      pb={6}
      c="dimmed"
      fz="xs"
      style={{ borderBottom: '1px solid var(--bw-line-strong)' }}
    >
      <strong>{product}</strong>
      <Text span inherit flex={1} style={{ overflowWrap: 'anywhere' }}>
        {narrowedBy.join(' · ')}
      </Text>
      <span>
        Printed {formatEventTime(printedAt)}, {formatZone(printedAt)}
      </span>
    </Group>
  )
}
