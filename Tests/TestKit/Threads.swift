// Who uses the kit uses its threads and what they share.
@_exported import ThreadKit
