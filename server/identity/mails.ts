import { CODE } from '#contract/constants.ts'
import { webLinks } from '#contract/webLinks.ts'
import { mail, type Block } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

export const RESET_HOURS = 1

export function codeMail(to: string, firstName: string, code: string): Mail {
  return mail(to, `${code} is your Rookery code`, [
    greeting(firstName),
    'Enter this code to confirm your email address:',
    { code },
    `It expires in ${CODE.minutes} minutes. If you didn't ask for it, you can ignore this email. Nothing happens without the code.`,
  ])
}

export function resetMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set a new password for Rookery', [
    greeting(firstName),
    'Someone, hopefully you, asked to reset your password. Use this link within an hour. It works once.',
    { link, label: 'Set a new password' },
    "If it wasn't you, you can ignore this email. Your password stays the same.",
  ])
}

/** After a confirmation without a session, when the account's password may be a stranger's. */
export function firstPasswordMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set your password for Rookery', [
    greeting(firstName),
    "Your email address is confirmed. You confirmed it in a different browser than the one that signed up, so we can't tell who chose the password. Please choose a new one. Use this link within an hour. It works once.",
    { link, label: 'Set your password' },
    'If the link has expired, you can get a new one from "Forgot password?" on the login page.',
  ])
}

/** Passkeys need no password: people who change theirs because of an intruder have to know that passkeys still work. */
export function passwordChangedMail(to: string, firstName: string, passkeys: number, publicUrl: string): Mail {
  return mail(to, 'Your Rookery password was changed', [
    greeting(firstName),
    'Your password was changed, and you were logged out on your other devices.',
    ...(passkeys === 0
      ? []
      : [
          `You can still log in with ${passkeys === 1 ? 'your passkey' : `your ${passkeys} passkeys`}. Remove any that aren't yours under Security in your profile.`,
        ]),
    ...notYou(publicUrl),
  ])
}

/** To the new address: the code that confirms it. */
export function newAddressMail(to: string, firstName: string, code: string): Mail {
  return mail(to, `${code} is your Rookery code`, [
    greeting(firstName),
    'Enter this code in your profile to make this the email address of your account:',
    { code },
    `It expires in ${CODE.minutes} minutes. If you didn't ask for it, you can ignore this email. Nothing happens without the code.`,
  ])
}

/** To the owner of an address that someone else tried to use. */
export function addressTakenMail(to: string, firstName: string, publicUrl: string): Mail {
  return mail(to, 'This address already has a Rookery account', [
    greeting(firstName),
    'Someone tried to use this email address for another Rookery account. It belongs to yours, so nothing was changed.',
    'If it was you, log in with this address:',
    { link: `${publicUrl}${webLinks.login()}`, label: 'Log in' },
  ])
}

/** To the current address, before anything changes. */
export function addressWillChangeMail(to: string, firstName: string, newAddress: string, publicUrl: string): Mail {
  return mail(to, 'A new address for your Rookery account', [
    greeting(firstName),
    `Someone, hopefully you, asked to change the email address of your account to ${newAddress}. It changes as soon as they enter the code we sent there.`,
    ...notYou(publicUrl, "If it wasn't you, someone knows your password. Set a new one now:"),
  ])
}

/** To the address that the account just gave up. */
export function addressChangedMail(to: string, firstName: string, newAddress: string): Mail {
  return mail(to, 'The address of your Rookery account was changed', [
    greeting(firstName),
    `The email address of your account is now ${newAddress}. You can no longer log in with this one.`,
    "If it wasn't you, contact your Rookery administrator right away.",
  ])
}

/** About a change to how the account is protected. `what` is a sentence. */
export function securityMail(to: string, firstName: string, what: string, publicUrl: string): Mail {
  return mail(to, 'The security of your Rookery account was changed', [
    greeting(firstName),
    what,
    ...notYou(
      publicUrl,
      "If it wasn't you, set a new password now, then check Security in your profile. If you can't log in because of two-factor authentication, contact your Rookery administrator.",
    ),
  ])
}

export function recoveryCodeUsedMail(to: string, firstName: string, left: number, publicUrl: string): Mail {
  const rest =
    left === 0
      ? 'It was your last one. Make new ones in your profile.'
      : `You have ${left} ${left === 1 ? 'code' : 'codes'} left.`
  return securityMail(to, firstName, `One of your recovery codes was used to log in. ${rest}`, publicUrl)
}

/** Someone who got this far knew the password. */
export function secondFactorGuessedMail(to: string, firstName: string, publicUrl: string): Mail {
  return mail(to, 'Someone knows your Rookery password', [
    greeting(firstName),
    "Someone entered the right password for your account, then several wrong codes. We didn't let them in.",
    ...notYou(publicUrl),
  ])
}

/** Only a new password locks an intruder out, and people who were locked out can set one without logging in. */
const notYou = (publicUrl: string, words = "If it wasn't you, set a new password now:"): Block[] => [
  words,
  { link: `${publicUrl}${webLinks.forgotPassword()}`, label: 'Set a new password' },
]

const greeting = (firstName: string) => (firstName ? `Hello ${firstName},` : 'Hello,')
