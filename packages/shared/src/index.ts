export * from './auth.ts';
export * from './contract.ts';
export * from './fields.ts';
export * from './picture-address.ts';
export * from './problem.ts';
export * from './review.ts';
export * from './service.ts';
export * from './vitals.ts';
