// For every file of the program.
@_exported import ThreadKit
