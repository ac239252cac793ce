import { useRef, useState } from 'react'

type State<Result> = { isPending: boolean; data: Result | undefined; error: unknown }

/**
 * Runs one call for a person and tracks its progress, result and error. A small mutation for pages shown before the query
 * cache is loaded.
 */
export function useAction<Result>(act: () => Promise<Result>, onDone?: (result: Result) => void) {
  const [state, setState] = useState<State<Result>>({ isPending: false, data: undefined, error: null })
  const isBusy = useRef(false)

  async function run(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isPending: true, data: undefined, error: null })
    try {
      const data = await act()
      setState({ isPending: false, data, error: null })
      onDone?.(data)
    } catch (error) {
      setState({ isPending: false, data: undefined, error })
    } finally {
      isBusy.current = false
    }
  }

  return { ...state, run }
}
