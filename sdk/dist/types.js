// Made by gen.ts from the server's openapi.json. Do not edit.
export {};
