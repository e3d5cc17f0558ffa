import { EmptyState } from './empty-state.tsx'

/** In place of a page behind the last one: others deleted or dealt with what stood there, or the address is an old one. */
export function FewerPages({ onLastPage }: { onLastPage: () => void }) {
  return (
    <EmptyState title="There are fewer pages by now" action={{ label: 'Go to the last page', onClick: onLastPage }} />
  )
}
