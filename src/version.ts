/**
 * Version of the package, part of every document's digest: after an upgrade both validators of every document move.
 * A constant, because a bundler would not carry package.json along; a test keeps the two equal.
 */
export const VERSION = '0.3.0'
