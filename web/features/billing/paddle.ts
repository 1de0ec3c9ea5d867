import type { Pricing } from '#contract/billing.ts'

type Overlay = { settings: NonNullable<Pricing['paddle']>; transactionId: string; dark: boolean; onPaid: () => void }

/** What the overlay tells, since it is set up once and opened for many payments. */
let listening: Pick<Overlay, 'onPaid'> | undefined

/**
 * Opens Paddle's own overlay for a transaction. Its code, and the script that it loads from Paddle, come only now.
 * Throws where the script couldn't be loaded.
 */
export async function openPaddle({ settings, transactionId, dark, ...told }: Overlay): Promise<void> {
  const { CheckoutEventNames, getPaddleInstance, initializePaddle } = await import('@paddle/paddle-js')
  listening = told
  const paddle =
    getPaddleInstance('v1') ??
    (await initializePaddle({
      token: settings.clientToken,
      environment: settings.environment,
      eventCallback: ({ name }) => {
        if (name === CheckoutEventNames.CHECKOUT_COMPLETED) {
          // its last page would lie over ours
          getPaddleInstance('v1')?.Checkout.close()
          listening?.onPaid()
        }
      },
    }))
  if (!paddle) throw new Error("Paddle's script could not be loaded")
  paddle.Checkout.open({
    transactionId,
    settings: { displayMode: 'overlay', theme: dark ? 'dark' : 'light', allowLogout: false },
  })
}
