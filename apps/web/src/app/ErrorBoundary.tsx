import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/Notice.tsx'

/** Shows an error of what it holds in its place, with a way out: no mistake of one view leaves a white page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <>
        <ErrorState title="This part of the page has failed" error={error} />
        <p>
          <Button look="main" onClick={() => location.reload()}>
            Load the page again
          </Button>
        </p>
      </>
    )
  }
}
