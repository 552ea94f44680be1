// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InterestRatePool} from "./InterestRatePool.sol";

/// @title Settles many positions in one transaction. A reference for development; not audited.
contract KeeperBundler {
    /// @notice The pool whose positions are settled.
    InterestRatePool public immutable interestRatePool;

    constructor(InterestRatePool pool) {
        interestRatePool = pool;
    }

    /// @notice Settles every position that can be settled now and passes over the rest.
    /// @dev What was settled shows in the pool's PositionSettled events.
    function settleMany(uint256[] calldata positionIds) external {
        for (uint256 i = 0; i < positionIds.length; ++i) {
            try interestRatePool.settle(positionIds[i]) {} catch {}
        }
    }
}
