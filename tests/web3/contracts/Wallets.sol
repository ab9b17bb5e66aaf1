// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A contract wallet that accepts its owner's signatures (ERC-1271).
contract OwnedWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault, ) = ECDSA.tryRecover(hash, signature);
        return fault == ECDSA.RecoverError.NoError && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Deploys wallets at addresses known in advance (ERC-6492).
contract WalletFactory {
    function make(address owner, bytes32 salt) external returns (address) {
        return address(new OwnedWallet{salt: salt}(owner));
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(OwnedWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}

/// Accepts every signature. Linking it proves nothing more.
contract YesWallet {
    function isValidSignature(bytes32, bytes memory) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// Returns values that look almost like the magic value.
contract OddWallet {
    uint256 immutable way;

    constructor(uint256 way_) {
        way = way_;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        if (way == 0) return abi.encode(true);
        if (way == 1) return abi.encodePacked(bytes4(0x1626ba7e));
        if (way == 2) return abi.encode(uint256(0x1626ba7e));
        if (way == 3) revert("no");
        if (way == 4) while (true) {}
        if (way == 5) return abi.encodePacked(bytes4(0x1626ba7e), bytes28(uint224(1)));
        return "";
    }
}
